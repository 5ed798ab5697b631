'use strict'

// Parsers for a load, and for the precision of a search.

const { show } = require('../../core/foreign-text')
const { toNumber } = require('../../core/numbers')
const { formatInteger } = require('../../core/units')
const { MAX_RATE, readRate } = require('../../shapes/rate')

/**
 * @typedef {object} Load as it was given
 * @property {number} value
 * @property {boolean} perSecond whether it is written per second
 */

const [LEAST_PRECISION, MOST_PRECISION] = [0.005, 0.5]

/**
 * @param {unknown} given requests per second, or connections: 100, '100/s'
 * @returns {Load}
 * @throws {TypeError}
 */
function parseLoad (given) {
  if (readRate(given).unit === 'iterations') {
    throw new TypeError(`expected requests per second such as 100/s, got ${show(given)}: a search of iterations per ` +
      'second there is not yet; make a run for each rate')
  }
  const [, digits, unit] =
    /^\s*([\d.,_]+(?:e\+?\d+)?)\s*(\/s|rps|req\/s)?\s*$/i.exec(
      typeof given === 'number' || typeof given === 'string' ? String(given) : ''
    ) ??
      []
  const value = digits === undefined ? NaN : Number(digits.replace(/[,_]/g, ''))
  if (!(value > 0 && value <= MAX_RATE)) {
    throw new TypeError(`expected a load above 0 and up to ${formatInteger(MAX_RATE)}, such as 100/s, or 100 ` +
      `connections with --over connections, got ${show(given)}`)
  }
  return { value, perSecond: unit !== undefined }
}

/**
 * @param {unknown} given '3%' or 0.03
 * @throws {TypeError}
 */
function parsePrecision (given) {
  const [, digits] = typeof given === 'string' ? /^\s*±?\s*([\d.]+)\s*%\s*$/.exec(given) ?? [] : []
  const share = digits !== undefined ? Number(digits) / 100 : toNumber(given)
  if (!(share >= LEAST_PRECISION && share <= MOST_PRECISION)) {
    throw new TypeError(
      `expected ${LEAST_PRECISION * 100}% to ${MOST_PRECISION * 100}%, such as 3%, got ${show(given)}`
    )
  }
  return share
}

module.exports = { parseLoad, parsePrecision }
