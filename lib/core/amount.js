'use strict'

// The text form of an amount, and its unit: requests, or iterations of users.

const { toNumber } = require('./numbers')
const { plural } = require('./units')

/** A number of iterations, which compares like a number. */
class Amount {
  /** @param {number} number of iterations */
  constructor (number) {
    this.number = number
    Object.freeze(this)
  }

  valueOf () {
    return this.number
  }

  /** @returns {string} in the form of the option */
  toJSON () {
    return String(this)
  }

  toString () {
    return `${this.number} iteration${this.number === 1 ? '' : 's'}`
  }
}

/**
 * @param {unknown} given such as 1000, '1000' or '1000 iterations', a parsed amount, or an amount of a result
 * @returns {{ number: number, unit: 'requests' | 'iterations' }} number: NaN if invalid
 */
function readAmount (given) {
  if (given instanceof Amount) return { number: given.number, unit: 'iterations' }
  const [, number, iterations] = typeof given === 'string'
    ? /^\s*(.*?)\s*(?:(iterations?|rounds?)|requests?)\s*$/i.exec(given) ?? []
    : []
  return { number: toNumber(number ?? given), unit: iterations === undefined ? 'requests' : 'iterations' }
}

/** @param {unknown} amount of iterations from options or a result */
function isOfIterations (amount) {
  return readAmount(amount).unit === 'iterations'
}

/**
 * @param {unknown} amount from options or a result
 * @param {string} [one] the noun of the unit, except for iterations
 * @returns {string} such as `1,000 requests`
 */
function amountText (amount, one = 'request') {
  const { number, unit } = readAmount(amount)
  return plural(number, unit === 'iterations' ? 'iteration' : one)
}

module.exports = { Amount, amountText, isOfIterations, readAmount }
