'use strict'

// Sums from which a deviation is exact, even if it is tiny beside the values. Squares of the values need more digits
// than a number has: of 60 s ± 10 µs the 10 µs are lost. Squares of distances from a value near the mean do not (Chan,
// Golub and LeVeque, "Algorithms for Computing the Sample Variance", The American Statistician 37, 1983). All values
// are whole numbers, so the sums are exact up to 2^53.

/**
 * @typedef {object} Moments of whole numbers
 * @property {number} count
 * @property {number} sum
 * @property {number} shift a whole number that is near them: one of them, or their mean
 * @property {number} squares of the distances from it, added up
 */

/**
 * @param {Moments} moments
 * @param {number} value
 * @returns {number} the squares of the distances from that value, added up
 */
function squaresFrom ({ count, sum, shift, squares }, value) {
  const by = shift - value
  return by === 0 ? squares : squares + by * (2 * (sum - count * shift) + count * by)
}

/** @param {Moments} moments is added to @param {Moments} more */
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
 * @returns {number} 0 when there are no values. From the same value for the same values, or it would differ in its last
 *   digit by how they were added up
 */
function deviationOf (moments) {
  const { count, sum } = moments
  if (count === 0) return 0
  const shift = Math.round(sum / count)
  const distance = sum - count * shift
  return Math.sqrt(Math.max(0, (squaresFrom(moments, shift) - distance * (distance / count)) / count))
}

module.exports = { addMoments, deviationOf }
