'use strict'

// The correlation of neighbouring batches of a run: the higher it is, the fewer of them count as independent (Bayley
// and Hammersley, "The Effective Number of Independent Observations", 1946; the bias of the correlation: Kendall,
// 1954).

const { sum, sumOf } = require('../core/statistics')

/** The correlation of fewer batches is unknown. */
const LEAST_CORRELATED = 8
/** A higher correlation is not assumed: the neighbours would count as one batch. */
const MOST_ALIKE = 0.95
/** The highest upper bound of a correlation. */
const MOST_POSSIBLE = 0.98
/** Standard errors of the correlation: the least that is more than chance, and those added for the upper bound. */
const [SHOWN, POSSIBLE] = [1, 2]

/**
 * @param {number[]} of by batch: the dividend
 * @param {number[]} per the divisor
 * @returns {number[]} how far each dividend is from the common ratio times its divisor
 */
function residualsOf (of, per) {
  const ratio = sum(of) / sum(per)
  return of.map((value, i) => value - ratio * per[i])
}

/**
 * @param {number[]} rest the residual of each batch
 * @returns {number} the correlation of neighbours, 0 to 1, without its bias
 */
function correlationOf (rest) {
  const n = rest.length
  const squares = sumOf(rest, one => one ** 2)
  if (squares === 0) return 0
  const correlation = sumOf(rest.slice(1), (one, i) => one * rest[i]) / squares
  return Math.min(MOST_ALIKE, Math.max(0, (correlation + 1 / n) / (1 - 4 / n)))
}

/** @param {number[]} rest of batches, which may be few @returns {number} the same; 0 where it is unknown */
function correlationIfKnown (rest) {
  return rest.length < LEAST_CORRELATED ? 0 : correlationOf(rest)
}

/**
 * @param {number} correlation of n batches
 * @param {number} n
 * @returns {boolean} whether it is more than chance
 */
function isMoreThanChance (correlation, n) {
  return correlation > SHOWN / Math.sqrt(n)
}

/**
 * A few periods of a swing give a poor estimate of the correlation, and runs with a low estimate end first.
 * @param {number} correlation of n batches
 * @param {number} n
 * @returns {number} an upper bound of the true correlation
 */
function upperBoundOf (correlation, n) {
  return isMoreThanChance(correlation, n)
    ? Math.max(correlation, Math.min(MOST_POSSIBLE, correlation + POSSIBLE * Math.sqrt((1 - correlation ** 2) / n)))
    : correlation
}

module.exports = { LEAST_CORRELATED, correlationOf, correlationIfKnown, upperBoundOf, residualsOf, isMoreThanChance }
