'use strict'

// Converts given options to typed values, one at a time. validate.js has the rules across options.

const { PlacedError } = require('../requests/place')
const { TABLE } = require('./table')
const { typeOf } = require('./types')

/**
 * @typedef {((option: import('./table').Option) => string) & { at?: (place: string) => string, lineOf?: (place: string)
 *   => number }} Label the name of an option for the user; in a config, `at` adds its line, and `lineOf` returns that,
 *   0 where it is unknown
 *
 * @typedef {import('../core/problem').Problem} Problem
 *
 * @typedef {Record<string, any>} Values typed values by option name, defaults filled in; `url` is an array of URLs and
 *   `headers` an array of pairs
 *
 * @typedef {(values: Values, call: import('../core/problem').Call) => Problem[]} Rules returns one for each that is
 *   broken
 */

/**
 * @param {Record<string, unknown>} raw
 * @param {Label} label
 * @param {ReadonlyArray<Readonly<import('./table').Option>>} [rows] of the options to read: those of a run by default
 */
function normalize (raw, label, rows = TABLE) {
  /** @type {Values} */
  const values = {}
  /** @type {Problem[]} */
  const placed = []
  for (const option of rows) {
    try {
      const given = raw[option.name]
      values[option.name] = given === undefined || given === null ? option.default : typeOf(option).parse(given, option)
    } catch (error) {
      // A parser throws TypeErrors; getters, proxies and toString of given values throw anything.
      const found = error instanceof PlacedError
        ? [error, ...error.others]
        : [{ place: '', reason: error instanceof TypeError ? error.message : `reading it failed: ${error}` }]
      placed.push(...found.map(({ place, reason }) => ({
        place: option.name + place,
        text: `${label.at?.(option.name + place) ?? ''}${shownPlace(label(option), place)}: ${reason}`
      })))
    }
  }
  return { values, placed, problems: placed.map(({ text }) => text) }
}

/**
 * @param {string} name the user's name of the option
 * @param {string} place in its value
 * @returns {string} without the index of a flag that is repeated
 */
function shownPlace (name, place) {
  return name.startsWith('-') ? name + place.replace(/^\[\d+\]/, '') : name + place
}

module.exports = { normalize }
