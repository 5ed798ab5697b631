'use strict'

// Reads think times, between requests and between iterations.

const { isRecord, show } = require('../../core/foreign-text')
const { parseSeconds } = require('../../core/numbers')
const { formatInteger } = require('../../core/units')
const { within } = require('../../requests/place')

/**
 * @typedef {{ from: number, to: number }} UniformPause ms: uniformly distributed; both are equal for a constant pause
 * @typedef {{ mean: number }} ExponentialPause ms
 * @typedef {{ hook: Function | string }} HookPause a function of the context, or the path of its module
 * @typedef {UniformPause | ExponentialPause | HookPause} Pause
 */

const MAX_SECONDS = 2_000_000

const SHAPES =
  "a time such as 1s, ['500ms', '2s'] for any in between, { exponential: '1s' } or a function of the context"

/**
 * @param {unknown} given a time, two times, an object with the mean of an exponential distribution, or a function or
 *   its module
 * @returns {Pause}
 * @throws {TypeError}
 */
function parsePause (given) {
  if (typeof given === 'function') return { hook: given }
  if (Array.isArray(given)) {
    if (given.length !== 2) {
      throw new TypeError(`expected two times such as ['500ms', '2s'], got ${formatInteger(given.length)}`)
    }
    return uniform(within('[0]', () => timeOf(given[0])), within('[1]', () => timeOf(given[1])))
  }
  if (isRecord(given)) return exponential(given)
  if (typeof given === 'string' && isModule(given)) return { hook: given }
  // The form 500ms-2s.
  const [, from, to] = typeof given === 'string' ? /^\s*([^\s-][^-]*)-([^-]+)$/.exec(given) ?? [] : []
  if (to !== undefined && Number.isNaN(Number(given))) return uniform(timeOf(from, given), timeOf(to, given))
  const time = msOf(given)
  if (time === null) throw new TypeError(`expected ${SHAPES}, got ${show(given)}`)
  return { from: time, to: time }
}

/**
 * @param {number} from ms
 * @param {number} to ms
 * @returns {UniformPause}
 */
function uniform (from, to) {
  if (from > to) throw new TypeError(`expected the shorter time first, got ${from / 1000} s before ${to / 1000} s`)
  return { from, to }
}

/** @type {(given: Record<string, unknown>) => ExponentialPause} */
function exponential (given) {
  const keys = Object.keys(given)
  if (keys.join() !== 'exponential') {
    throw new TypeError(
      `expected ${SHAPES}, got an object with ${keys.length === 0 ? 'no keys' : keys.map(show).join(', ')}`
    )
  }
  return within('.exponential', () => {
    const mean = timeOf(given.exponential)
    if (mean === 0) throw new TypeError('expected a mean of more than 0, got 0')
    return { mean }
  })
}

/**
 * @param {any} pause a parsed pause, or anything else
 * @returns {unknown} in the form of the option
 */
function givenPause (pause) {
  if (!isRecord(pause)) return pause
  const { from, to, mean, hook } = pause
  const text = (/** @type {unknown} */ ms) => `${ms}ms`
  if (from !== undefined) return from === to ? text(from) : [text(from), text(to)]
  return mean === undefined ? hook ?? pause : { exponential: text(mean) }
}

/**
 * @param {unknown} given
 * @param {unknown} [all] the text that contains it
 * @returns {number} ms
 * @throws {TypeError}
 */
function timeOf (given, all = given) {
  const ms = msOf(given)
  if (ms === null) {
    throw new TypeError('expected seconds or a time such as 500ms, from 0 to ' +
    `${formatInteger(MAX_SECONDS)} s, got ${show(given)}${all === given ? '' : ` in ${show(all)}`}`)
  }
  return ms
}

/** Returns null for anything but a time. @type {(given: unknown) => number | null} */
function msOf (given) {
  const seconds = parseSeconds(given)
  return seconds >= 0 && seconds <= MAX_SECONDS ? seconds * 1000 : null
}

/** @param {string} text */
function isModule (text) {
  return /[/\\]|\.[cm]?[jt]s$/.test(text)
}

module.exports = { givenPause, isModule, parsePause }
