'use strict'

// Owns how durations, byte counts and other counts are read and written.

// The packages are loaded when they are needed: a run by the API needs none of them.

/** What is shown of a figure that a result does not have. */
const UNKNOWN = '–'

/** One or more numbers, each with a unit. timestring drops whatever else there is: it takes `1m30` for a minute, and `1,5s` for 15 s. */
const TIMES = /^(?:(?:\d+(?:\.\d+)?|\.\d+)\s*[a-z]+\s*)+$/i

/**
 * @param {unknown} given a number, or a text that is one
 * @returns {number} NaN for anything else
 */
function toNumber (given) {
  // A config has a BigInt for an integer above 2^53.
  if (typeof given === 'number' || typeof given === 'bigint') return Number(given)
  return typeof given === 'string' && given.trim() !== '' ? Number(given) : NaN
}

/**
 * Reads a duration as users write it: a number of seconds, or a timestring such as `1m30s` or `500ms`.
 * @param {unknown} value
 * @returns {number} seconds; NaN when it is neither
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
 * A latency with the digits that a reader can use: µs below 0.1 ms, three significant digits above.
 * @param {number} ms
 * @returns {string} without the unit
 */
function formatMs (ms) {
  if (Number.isNaN(ms)) return UNKNOWN
  if (ms === 0) return '0'
  if (ms < 0.0995) return ms.toFixed(3)
  if (ms < 9.995) return ms.toFixed(2)
  if (ms < 99.95) return ms.toFixed(1)
  return formatInteger(ms)
}

/**
 * @param {number} n
 * @returns {string} a whole number with thousands separators
 */
function formatInteger (n) {
  if (Number.isNaN(n)) return UNKNOWN
  // Not toLocaleString: the first one of a process takes 15 ms, as it reads the locales of the world.
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * A count at a glance: 999, 25k, 1.23M.
 * @param {number} n
 * @returns {string}
 */
function formatCount (n) {
  if (Number.isNaN(n)) return UNKNOWN
  if (n < 999.5) return String(Math.round(n))
  for (const [size, suffix] of /** @type {const} */ ([[1e9, 'G'], [1e6, 'M']])) {
    if (n >= size * 0.9995) return trim(n < size * 999.5 ? (n / size).toPrecision(3) : (n / size).toFixed()) + suffix
  }
  return Math.round(n / 1000) + 'k'
}

/** @param {string} digits */
function trim (digits) {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits
}

/**
 * @param {number} n bytes
 * @returns {string} such as `2.84 MB`, powers of 1,000
 */
function formatBytes (n) {
  if (Number.isNaN(n)) return UNKNOWN
  return require('pretty-bytes')(n)
}

/**
 * @param {number} seconds
 * @returns {string} such as `0.08s`, `10.05s`
 */
function formatSeconds (seconds) {
  if (Number.isNaN(seconds)) return UNKNOWN
  return `${trim(seconds.toFixed(2)) || '0'}s`
}

/** From so many times on a factor is easier to read than a percentage. */
const MANIFOLD = 11

/**
 * @param {string} unit of the figure
 * @param {number | null} value of a difference
 * @returns {string} with its sign, or a factor such as ×12
 */
function formatDifference (unit, value) {
  if (value === null) return '–'
  if (unit !== 'share' && value >= MANIFOLD - 1) return `×${formatInteger(Number((1 + value).toPrecision(2)))}`
  const percent = value * 100
  const digits = Math.abs(percent) < 10 ? percent.toFixed(unit === 'share' ? 2 : 1) : formatInteger(percent)
  return `${value > 0 ? '+' : ''}${digits.replace('-', '−').replace(/^\+?−?(0|0\.0+)$/, '0')} ${unit === 'share' ? 'points' : '%'}`
}

/**
 * @param {number} n
 * @param {string} one
 * @param {string} [many]
 * @returns {string} `1 error`, `1,204 errors`
 */
function plural (n, one, many = one + 's') {
  return `${formatInteger(n)} ${n === 1 ? one : many}`
}

/**
 * Three decimals are the µs of a latency in ms, and more than any other figure has.
 * @param {number} value
 */
function round (value) {
  return Math.round(value * 1000) / 1000
}

module.exports = { toNumber, parseSeconds, formatMs, formatInteger, formatCount, formatBytes, formatSeconds, formatDifference, plural, round }
