'use strict'

// A problem of the options: the option and a sentence. The rule provides both, so no code parses sentences to sort
// problems or to locate them in a config.

/**
 * @typedef {object} Problem
 * @property {string} place the name of an option, and a place in it, such as `requests[0].path`; empty for none
 * @property {string} text
 *
 * @typedef {(name: string) => string} Call returns the user's name of an option
 */

/**
 * @param {Call} call
 * @param {string | string[]} at its place; several for options that contradict each other: the problem is reported at
 *   the first
 * @param {string} reason what was expected, what was given, and what to do
 * @returns {Problem}
 */
function problemAt (call, at, reason) {
  return problemOf(call, at, ': ', reason)
}

/**
 * @param {Call} call
 * @param {string | string[]} at as above
 * @param {string} predicate the rest of a sentence that begins with the options: 'each set the end of the run: use one
 *   of them'
 * @returns {Problem}
 */
function problemWith (call, at, predicate) {
  return problemOf(call, at, ' ', predicate)
}

/** @type {(call: Call, at: string | string[], mark: string, words: string) => Problem} */
function problemOf (call, at, mark, words) {
  const places = [at].flat()
  return { place: places[0], text: places.map(place => address(call, place)).join(' and ') + mark + words }
}

/**
 * Replaces the name of the option by the user's name; the rest of the place is unchanged.
 * @type {(call: Call, place: string) => string}
 */
function address (call, place) {
  const [name] = place.split(/[.[]/, 1)
  return call(name) + place.slice(name.length)
}

/** @param {string} text about no option @returns {Problem} */
function unplaced (text) {
  return { place: '', text }
}

module.exports = { problemWith, problemAt, unplaced }
