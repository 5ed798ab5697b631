'use strict'

// The text form of an amount, and its unit: requests, or iterations of users.

const { toNumber } = require('./numbers')
const { plural } = require('./units')

/** A number of iterations. Where numbers are compared it is one. */
class Amount {
  /** @param {number} number of iterations */
  constructor (number) {
    this.number = number
    Object.freeze(this)
  }

  valueOf () {
    return this.number
  }

  /** @returns {string} as a user gives it */
  toJSON () {
    return String(this)
  }

  toString () {
    return `${this.number} iteration${this.number === 1 ? '' : 's'}`
  }
}

/**
 * @param {unknown} given such as 1000, '1000' or '1000 iterations'; also as it was read, or as a result has it
 * @returns {{ number: number, unit: 'requests' | 'iterations' }} NaN if it is none
 */
function readAmount (given) {
  if (given instanceof Amount) return { number: given.number, unit: 'iterations' }
  const [, number, iterations] = typeof given === 'string'
    ? /^\s*(.*?)\s*(?:(iterations?|rounds?)|requests?)\s*$/i.exec(given) ?? []
    : []
  return { number: toNumber(number ?? given), unit: iterations === undefined ? 'requests' : 'iterations' }
}

/** @param {unknown} amount of iterations as options or results have it */
function isOfIterations (amount) {
  return readAmount(amount).unit === 'iterations'
}

/**
 * @param {unknown} amount as options or results have it
 * @param {string} [one] its noun, where that is not iterations
 * @returns {string} such as `1,000 requests`
 */
function amountText (amount, one = 'request') {
  const { number, unit } = readAmount(amount)
  return plural(number, unit === 'iterations' ? 'iteration' : one)
}

module.exports = { Amount, amountText, isOfIterations, readAmount }
