'use strict'

// Converts what a user gave to typed values, one option at a time. validate.js has the rules across options.

const { PlacedError } = require('../requests/place')
const { TABLE } = require('./table')
const { typeOf } = require('./types')

/**
 * @typedef {((option: import('./table').Option) => string) & { at?: (place: string) => string,
 *   lineOf?: (place: string) => number }} Label how the user calls an option; in a config, `at` says in which line it
 *   stands, and `lineOf` is that line, 0 where it is unknown
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
 * @param {ReadonlyArray<Readonly<import('./table').Option>>} [rows] of the options that are looked at: those of a run
 *   unless said
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
      // A parser throws TypeErrors; the getters, proxies and toString of what was given throw anything.
      const found = error instanceof PlacedError
        ? [error, ...error.others]
        : [{ place: '', reason: error instanceof TypeError ? error.message : `reading it failed: ${error}` }]
      placed.push(...found.map(({ place, reason }) => ({
        place: option.name + place, text: `${label.at?.(option.name + place) ?? ''}${label(option)}${place}: ${reason}`
      })))
    }
  }
  return { values, placed, problems: placed.map(({ text }) => text) }
}

module.exports = { normalize }
