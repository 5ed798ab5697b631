'use strict'

// Sums for an exact deviation, even one that is tiny compared with the values. Squares of the values need more digits
// than a double has: for 60 s ± 10 µs the 10 µs are lost. Squares of distances from a value near the mean do not (Chan,
// Golub and LeVeque, "Algorithms for Computing the Sample Variance", The American Statistician 37, 1983). All values
// are integers, so the sums are exact up to 2^53.

/**
 * @typedef {object} Moments of whole numbers
 * @property {number} count
 * @property {number} sum
 * @property {number} shift an integer near the values: one of them, or their mean
 * @property {number} squares sum of the squared distances from `shift`
 */

/**
 * @param {Moments} moments
 * @param {number} value
 * @returns {number} the sum of squared distances from that value
 */
function squaresFrom ({ count, sum, shift, squares }, value) {
  const by = shift - value
  return by === 0 ? squares : squares + by * (2 * (sum - count * shift) + count * by)
}

/** @param {Moments} moments receives the sum @param {Moments} more */
function addMoments (moments, more) {
  const count = moments.count + more.count
  const sum = moments.sum + more.sum
  const shift = moments.count === 0 ? more.shift : Math.round(sum / count)
  moments.squares = squaresFrom(moments, shift) + squaresFrom(more, shift)
  moments.count = count
  moments.sum = sum
  moments.shift = shift
}

/**
 * @param {Moments} moments
 * @returns {number} the deviation; 0 without values. It does not depend on the order of additions, because the
 *   distances are converted to the same value first
 */
function deviationOf (moments) {
  const { count, sum } = moments
  if (count === 0) return 0
  const shift = Math.round(sum / count)
  const distance = sum - count * shift
  return Math.sqrt(Math.max(0, (squaresFrom(moments, shift) - distance * (distance / count)) / count))
}

module.exports = { addMoments, deviationOf }
