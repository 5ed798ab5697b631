'use strict'

// Sums, means and deviations.

/**
 * @template T
 * @param {ReadonlyArray<T>} list
 * @param {(one: T, i: number) => number} of
 */
function sumOf (list, of) {
  let sum = 0
  for (let i = 0; i < list.length; i++) sum += of(list[i], i)
  return sum
}

/** @param {ReadonlyArray<number>} values */
const sum = values => sumOf(values, value => value)

/** @param {ReadonlyArray<number>} values */
const mean = values => sum(values) / values.length

/** @param {ReadonlyArray<number>} values @returns {number} the sum of their squared distances from the mean */
function squaresOf (values) {
  const middle = mean(values)
  return sumOf(values, value => (value - middle) ** 2)
}

module.exports = { mean, squaresOf, sum, sumOf }
