'use strict'

// The correlation of neighbouring batches of a run: the higher it is, the fewer of them count as independent (Bayley
// and Hammersley, "The Effective Number of Independent Observations", 1946; the bias of the correlation: Kendall,
// 1954).

/** Neighbours that are more alike than this are as good as one. */
const MOST_ALIKE = 0.95
/** Where it shows that they are alike, they may be more so than it shows. */
const MOST_POSSIBLE = 0.98
/** Standard errors of the correlation: from how many on it shows, and how many more are possible. */
const [SHOWN, POSSIBLE] = [1, 2]

/**
 * @param {number[]} rest of each batch without the mean; not all of them 0
 * @returns {number} how alike neighbours are, 0 to 1, without the bias of their correlation
 */
function alikeOf (rest) {
  const n = rest.length
  const correlation = sum(rest.slice(1).map((one, i) => one * rest[i])) / sum(rest.map(one => one ** 2))
  return Math.min(MOST_ALIKE, Math.max(0, (correlation + 1 / n) / (1 - 4 / n)))
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

/** @param {number[]} values */
function sum (values) {
  return values.reduce((sum, value) => sum + value, 0)
}

module.exports = { alikeOf, mostOf, showsIn }
