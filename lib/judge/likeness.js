'use strict'

// The correlation of neighbouring batches of a run: the higher it is, the fewer of them count as independent (Bayley
// and Hammersley, "The Effective Number of Independent Observations", 1946; the bias of the correlation: Kendall,
// 1954).

const { sum, sumOf } = require('../core/statistics')

/** The correlation of fewer batches is unknown. */
const LEAST_CORRELATED = 8
/** Neighbours that are more alike than this are as good as one. */
const MOST_ALIKE = 0.95
/** Where it shows that they are alike, they may be more so than it shows. */
const MOST_POSSIBLE = 0.98
/** Standard errors of the correlation: from how many on it shows, and how many more are possible. */
const [SHOWN, POSSIBLE] = [1, 2]

/**
 * @param {number[]} of by batch: the dividend
 * @param {number[]} per the divisor
 * @returns {number[]} by how much each dividend differs from that of the common ratio
 */
function residualsOf (of, per) {
  const ratio = sum(of) / sum(per)
  return of.map((value, i) => value - ratio * per[i])
}

/**
 * @param {number[]} rest the residual of each batch
 * @returns {number} the correlation of neighbours, 0 to 1, without its bias
 */
function alikeOf (rest) {
  const n = rest.length
  const squares = sumOf(rest, one => one ** 2)
  if (squares === 0) return 0
  const correlation = sumOf(rest.slice(1), (one, i) => one * rest[i]) / squares
  return Math.min(MOST_ALIKE, Math.max(0, (correlation + 1 / n) / (1 - 4 / n)))
}

/** @param {number[]} rest of batches, which may be few @returns {number} the same; 0 where it is unknown */
function knownAlikeOf (rest) {
  return rest.length < LEAST_CORRELATED ? 0 : alikeOf(rest)
}

/**
 * @param {number} alike the correlation of n batches
 * @param {number} n
 * @returns {boolean} whether it is more than chance
 */
function showsIn (alike, n) {
  return alike > SHOWN / Math.sqrt(n)
}

/**
 * The correlation of a swing that was seen a few times only is known poorly, and the runs in which it looks low are
 * those that end first.
 * @param {number} alike
 * @param {number} n
 * @returns {number} the upper bound of the correlation of the batches, with chance
 */
function mostOf (alike, n) {
  return showsIn(alike, n)
    ? Math.max(alike, Math.min(MOST_POSSIBLE, alike + POSSIBLE * Math.sqrt((1 - alike ** 2) / n)))
    : alike
}

module.exports = { LEAST_CORRELATED, alikeOf, knownAlikeOf, mostOf, residualsOf, showsIn }
