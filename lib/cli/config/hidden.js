'use strict'

// Errors for `***` in options. Printed configs and the commands in reports have it instead of secrets.

const { isRecord } = require('../../core/foreign-text')
const { tryOr } = require('../../core/try-or')
const { byName } = require('../../options/table')
const { placeOf } = require('../../requests/place')
const { HIDDEN, isNameAlone, redacted } = require('../../core/secrets')

/** The replacement of a secret. In the place of a secret it would be hidden again. */
const FILLER = '0123456789='

/** A value of stars only, also after the name of a header, a cookie or a member of JSON. */
const ALONE = /^(?:[^:=]{1,200}[:=]\s*)?\*\*\*(?:;.*)?$/s

/** The depth limit. Options of a run have fewer levels. */
const DEEPEST = 10

/** Options with parsers that report it themselves. */
const KNOWN = new Set(['proxy'])

/**
 * @param {Record<string, any>} raw
 * @param {(name: string) => string} call how the user calls an option
 * @param {(place: string) => string} [placed] the place of an option in a config; empty for none
 * @returns {string[]} a sentence for each place that needs its secret again
 */
function hiddenIn (raw, call, placed = () => '') {
  return Object.entries(raw).filter(([name]) => byName.has(name) && !KNOWN.has(name)).flatMap(([name, value]) =>
    placesIn(value, name, '').map(place => {
      const at = placed(name + place)
      return `${at}${call(name)}${at === '' ? '' : place}: ${HIDDEN} replaces a hidden secret: ` +
        // eslint-disable-next-line no-template-curly-in-string
        'insert the secret, in a config as ${NAME} for an environment variable'
    }))
}

/**
 * @param {unknown} value
 * @param {string} name under which it stands
 * @param {string} place
 * @param {number} [depth]
 * @returns {string[]} none if it cannot be read: its parser reports that
 */
function placesIn (value, name, place, depth = 0) {
  return tryOr([], () => placesWithin(value, name, place, depth))
}

/** @type {(value: unknown, name: string, place: string, depth: number) => string[]} */
function placesWithin (value, name, place, depth) {
  if (typeof value === 'string') return isHidden(value, name) ? [place] : []
  if (depth > DEEPEST) return []
  if (Array.isArray(value)) {
    return value.flatMap((one, i) =>
      placesIn(one, i > 0 && isNameAlone(value[i - 1]) ? value[i - 1] : '', place + placeOf(i), depth + 1))
  }
  if (!isRecord(value) || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) return []
  return Object.entries(value).flatMap(([key, one]) => placesIn(
    one,
    key === 'value' && typeof value.name === 'string' ? value.name : key,
    place + placeOf(key),
    depth + 1
  ))
}

/**
 * @param {string} text
 * @param {string} name under which it stands
 * @returns {boolean} whether a secret is hidden in it. Three stars in a place that hides no secret are three stars
 */
function isHidden (text, name) {
  if (!text.includes(HIDDEN)) return false
  if (ALONE.test(text)) return true
  const filled = text.replaceAll(HIDDEN, FILLER)
  return countIn(String(redacted(filled, name)), FILLER) < countIn(filled, FILLER)
}

/** @type {(text: string, part: string) => number} */
function countIn (text, part) {
  return text.split(part).length - 1
}

module.exports = { hiddenIn }
