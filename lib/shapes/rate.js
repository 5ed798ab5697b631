'use strict'

// The text form of a rate, and its unit.

const { show } = require('../core/foreign-text')
const { toNumber } = require('../core/numbers')
const { formatInteger, formatRate } = require('../core/units')

/** @typedef {'requests' | 'iterations'} Unit of a rate */

/** A rate that has been read. */
class Rate {
  /** @param {number} number per second @param {Unit} unit */
  constructor (number, unit) {
    this.number = number
    this.unit = unit
    Object.freeze(this)
  }

  /** @returns {number | string} as a user gives it */
  toJSON () {
    return this.unit === 'iterations' ? String(this) : this.number
  }

  /** @returns {string} with its unit: `200/s`, `20 iterations/s` */
  toString () {
    return `${this.number}${this.unit === 'iterations' ? ' iterations' : ''}/s`
  }
}

const MAX_RATE = 1e7

/**
 * @param {unknown} given such as 500, '500/s', as stages have it, '500/1s', as vegeta does, or '50 iterations/s'
 * @returns {{ number: number, unit: Unit | null }} NaN for anything else; unit: null without one
 */
function readRate (given) {
  if (given instanceof Rate) return given
  const [, number, iterations] = typeof given === 'string'
    ? /^\s*(.*?)\s*(?:((?:iteration|round)s?\s*\/\s*1?s)|\/1?s|rps|req\/s)\s*$/i.exec(given) ?? []
    : []
  return {
    number: toNumber(number ?? given),
    unit: number === undefined ? null : iterations === undefined ? 'requests' : 'iterations'
  }
}

/**
 * @throws {TypeError}
 * @type {(given: unknown) => Rate}
 */
function parseRate (given) {
  const { number, unit } = readRate(given)
  if (!(number > 0 && number <= MAX_RATE)) {
    throw new TypeError('expected a number such as 500, 500/s or 50 iterations/s, more than 0 and at most ' +
      `${formatInteger(MAX_RATE)}, got ${show(given)}`)
  }
  return new Rate(number, unit ?? 'requests')
}

/**
 * @param {number | string | { number: number, unit: Unit }} rate as options have it
 * @param {string} [unit] the unit of a rate of requests
 * @returns {string} such as `5 req/s`, `2 iterations/s`
 */
function rateText (rate, unit = 'req/s') {
  const number = typeof rate === 'object' && rate.unit === 'requests' ? rate.number : rate
  return typeof number === 'number' ? `${formatRate(number)} ${unit}` : String(number)
}

module.exports = { MAX_RATE, Rate, parseRate, rateText, readRate }
