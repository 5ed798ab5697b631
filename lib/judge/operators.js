'use strict'

// The operators of thresholds.

/**
 * @typedef {object} Operator
 * @property {(actual: number, limit: number) => boolean} isKept
 * @property {(best: number, limit: number) => boolean} isLost whether even the best possible figure misses the limit
 * @property {'<' | '>' | null} better whether lower or higher figures meet it; null where neither
 * @property {string} [opposite] the inverse operator
 * @property {true} [isExact] whether the figure alone decides, without its interval
 */

/** @type {Readonly<Record<string, Operator>>} */
const OPERATORS = Object.freeze({
  '<': { isKept: (a, limit) => a < limit, isLost: (a, limit) => a >= limit, better: '<', opposite: '>=' },
  '<=': { isKept: (a, limit) => a <= limit, isLost: (a, limit) => a > limit, better: '<', opposite: '>' },
  '>': { isKept: (a, limit) => a > limit, isLost: (a, limit) => a <= limit, better: '>', opposite: '<=' },
  '>=': { isKept: (a, limit) => a >= limit, isLost: (a, limit) => a < limit, better: '>', opposite: '<' },
  '==': { isKept: (a, limit) => a === limit, isLost: (a, limit) => a > limit, better: '<', isExact: true }
})

/**
 * @param {{ operator: string, limit: number }} threshold
 * @param {number} actual
 * @returns {boolean} whether the figure meets it
 */
function isKept ({ operator, limit }, actual) {
  return OPERATORS[operator].isKept(actual, limit)
}

module.exports = { OPERATORS, isKept }
