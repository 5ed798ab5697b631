'use strict'

// Owns how a user writes a load, and how close to one the answer of a search is to be.

const { show } = require('../../core/foreign-text')
const { toNumber } = require('../../core/numbers')
const { formatInteger } = require('../../core/units')

/**
 * @typedef {object} Load as it was given
 * @property {number} value
 * @property {boolean} perSecond whether it says so
 */

/** @typedef {'requests' | 'rounds'} Unit what comes at a rate */

/** A rate that has been read. */
class Rate {
  /**
   * @param {number} number per second
   * @param {Unit} unit
   */
  constructor (number, unit) {
    this.number = number
    this.unit = unit
    Object.freeze(this)
  }

  /** @returns {number | string} as a user gives it */
  toJSON () {
    return this.unit === 'rounds' ? String(this) : this.number
  }

  /** @returns {string} with its unit: `200/s`, `20 iterations/s` */
  toString () {
    return `${this.number}${this.unit === 'rounds' ? ' iterations' : ''}/s`
  }
}

const MAX_RATE = 1e7
const [LEAST_PRECISION, MOST_PRECISION] = [0.005, 0.5]

/**
 * @param {unknown} given requests per second, or connections: 100, '100/s'
 * @returns {Load}
 * @throws {TypeError}
 */
function parseLoad (given) {
  if (isInRounds(given)) throw new TypeError(`expected requests per second such as 100/s, got ${show(given)}: a search of iterations per second there is not yet; make a run for each rate`)
  const [, digits, unit] = /^\s*([\d.,_]+(?:e\+?\d+)?)\s*(\/s|rps|req\/s)?\s*$/i.exec(typeof given === 'number' || typeof given === 'string' ? String(given) : '') ?? []
  const value = digits === undefined ? NaN : Number(digits.replace(/[,_]/g, ''))
  if (!(value > 0 && value <= MAX_RATE)) throw new TypeError(`expected a load above 0 and up to ${formatInteger(MAX_RATE)}, such as 100/s, or 100 connections with --over connections, got ${show(given)}`)
  return { value, perSecond: unit !== undefined }
}

/**
 * @param {unknown} given '3%' or 0.03
 * @returns {number}
 * @throws {TypeError}
 */
function parsePrecision (given) {
  const [, digits] = typeof given === 'string' ? /^\s*±?\s*([\d.]+)\s*%\s*$/.exec(given) ?? [] : []
  const share = digits !== undefined ? Number(digits) / 100 : toNumber(given)
  if (!(share >= LEAST_PRECISION && share <= MOST_PRECISION)) throw new TypeError(`expected ${LEAST_PRECISION * 100}% to ${MOST_PRECISION * 100}%, such as 3%, got ${show(given)}`)
  return share
}

/**
 * @param {unknown} given such as 500, '500/s', as stages have it, '500/1s', as vegeta does, or '50 iterations/s'
 * @returns {{ number: number, unit: Unit | null }} NaN for what is none; the unit that it says
 */
function readRate (given) {
  if (given instanceof Rate) return given
  const [, number, rounds] = typeof given === 'string' ? /^\s*(.*?)\s*(?:((?:iteration|round)s?\s*\/\s*1?s)|\/1?s|rps|req\/s)\s*$/i.exec(given) ?? [] : []
  return { number: toNumber(number ?? given), unit: number === undefined ? null : rounds === undefined ? 'requests' : 'rounds' }
}

/**
 * @param {unknown} given
 * @returns {Rate}
 * @throws {TypeError}
 */
function parseRate (given) {
  const { number, unit } = readRate(given)
  if (!(number > 0 && number <= MAX_RATE)) throw new TypeError(`expected a number such as 500, 500/s or 50 iterations/s, more than 0 and at most ${formatInteger(MAX_RATE)}, got ${show(given)}`)
  return new Rate(number, unit ?? 'requests')
}

/** @param {unknown} given */
function isInRounds (given) {
  return readRate(given).unit === 'rounds'
}

module.exports = { Rate, parseLoad, parsePrecision, parseRate, readRate }
