'use strict'

// Parses numbers and durations as users write them.

/**
 * One or more numbers, each with a unit. timestring ignores other text: it reads `1m30` as one minute, and `1,5s` as 15
 * s.
 */
const TIMES = /^(?:(?:\d+(?:\.\d+)?|\.\d+)\s*[a-z]+\s*)+$/i

/**
 * @param {unknown} given a number, or the text of a number
 * @returns {number} NaN for anything else
 */
function toNumber (given) {
  // A config has a BigInt for an integer above 2^53. JSON has no negative zero, and + 0 removes it.
  if (typeof given === 'number' || typeof given === 'bigint') return Number(given) + 0
  return typeof given === 'string' && given.trim() !== '' ? Number(given) : NaN
}

/**
 * Reads a duration as users write it: a number of seconds, or a timestring such as `1m30s` or `500ms`.
 * @param {unknown} value
 * @returns {number} seconds; NaN for any other value
 */
function parseSeconds (value) {
  const number = toNumber(value)
  if (typeof value !== 'string' || !Number.isNaN(number)) return number
  if (!TIMES.test(value.trim())) return NaN
  try {
    return require('timestring')(value, 's')
  } catch {
    return NaN
  }
}

/**
 * @param {number | string} given seconds, or the text of a duration
 * @returns {string} the duration with its unit
 */
function timeText (given) {
  return typeof given === 'number' ? `${given}s` : given
}

module.exports = { toNumber, parseSeconds, timeText }
