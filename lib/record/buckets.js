'use strict'

// The buckets of a distribution: those of an HdrHistogram of three significant digits from 1 to 3.6e9 (µs: one hour). A
// bucket is one value wide up to 2,047, and twice as wide for each further power of two, which has 1,024 buckets. (G.
// Tene, http://hdrhistogram.org)

const HIGHEST = 3.6e9

/** @param {number} value a whole number from 1 to HIGHEST */
function bucketOf (value) {
  const width = Math.max(0, 21 - Math.clz32(value))
  return (width << 10) + (value >>> width)
}

/**
 * @param {number} value a whole number from 1 to HIGHEST
 * @returns {number} the width of its bucket in values
 */
function widthOf (value) {
  return 2 ** Math.max(0, 21 - Math.clz32(value))
}

const COUNT = bucketOf(HIGHEST) + 1

/** @param {number} bucket @returns {number} the highest value of the bucket */
function highestOf (bucket) {
  const width = Math.max(0, (bucket >> 10) - 1)
  return (bucket - (width << 10) + 1) * 2 ** width - 1
}

// The loops are separate functions: V8 compiles a loop while it runs, with the types seen in the function so far, and
// code after the loop has not run yet.

/**
 * @param {Float64Array} counts receives the sum
 * @param {Float64Array} more
 * @param {number} from the first bucket
 * @param {number} to after the last one
 */
function add (counts, more, from, to) {
  for (let i = from; i < to; i++) counts[i] += more[i]
}

/**
 * @param {Float64Array} counts
 * @param {number} from the first bucket with a count
 * @param {number} to after the last one
 * @param {number} rank 1 for the lowest value
 * @returns {number} the bucket of the value with that rank
 */
function bucketAt (counts, from, to, rank) {
  let bucket = from
  for (let reached = counts[from]; reached < rank && bucket < to - 1;) reached += counts[++bucket]
  return bucket
}

/**
 * @param {Float64Array} counts
 * @param {number} from the first bucket
 * @param {number} to after the last one
 * @returns {number[]} each non-empty bucket, followed by its count
 */
function pairsOf (counts, from, to) {
  const pairs = []
  for (let i = from; i < to; i++) if (counts[i] > 0) pairs.push(i, counts[i])
  return pairs
}

/**
 * @param {Float64Array} counts
 * @param {number[]} pairs in the form of `pairsOf`, with the same number of values
 * @returns {boolean} whether they equal the counts
 */
function hasPairs (counts, pairs) {
  for (let i = 0; i < pairs.length; i += 2) if (counts[pairs[i]] !== pairs[i + 1]) return false
  return true
}

module.exports = { HIGHEST, COUNT, bucketOf, widthOf, highestOf, bucketAt, hasPairs, pairsOf, add }
