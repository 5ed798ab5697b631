'use strict'

// Coarse buckets for the distribution of a point in a series: six per decade, with round edges. The 25,000 buckets of a
// histogram would be too many for each of 2,000 points.

const { bucketOf } = require('./buckets')

const [FIRST_DECADE, DECADES] = [-1, 6]

/** Lower edges in ms, ascending: 0, 0.1, 0.15, 0.2 … 70,000 and 100,000. */
const EDGES = Object.freeze([
  0,
  ...Array.from({ length: DECADES }, (_, i) =>
    [1, 1.5, 2, 3, 5, 7].map(step => Number(`${step}e${FIRST_DECADE + i}`))).flat(),
  10 ** (FIRST_DECADE + DECADES)
])

const FIRSTS = EDGES.map(ms => ms === 0 ? 0 : bucketOf(Math.round(ms * 1000)))

/** @typedef {Array<[from: number, count: number]>} Coarse non-empty buckets, ascending: lower edge in ms, count */

/** @param {import('./histogram').Histogram} histogram with at least one value @returns {Coarse} */
function coarse ({ counts, span: [from, to] }) {
  /** @type {Coarse} */
  const buckets = []
  for (let i = FIRSTS.findLastIndex(first => first <= from); i < FIRSTS.length && FIRSTS[i] < to; i++) {
    const count = countIn(counts, Math.max(from, FIRSTS[i]), Math.min(to, FIRSTS[i + 1] ?? to))
    if (count > 0) buckets.push([EDGES[i], count])
  }
  return buckets
}

/** @type {(counts: Float64Array, from: number, to: number) => number} */
function countIn (counts, from, to) {
  let sum = 0
  for (let i = from; i < to; i++) sum += counts[i]
  return sum
}

/**
 * @param {{ buckets?: Coarse }} time without buckets in results of older versions
 * @param {number} otherwise the number of values without buckets
 * @returns {number} the number of values, at least 1
 */
const weightOf = ({ buckets }, otherwise) =>
  buckets?.reduce((sum, [, count]) => sum + count, 0) || otherwise || 1

/** @param {Array<{ buckets: Coarse, part: number }>} parts with the share of each @returns {Coarse} */
function addedUp (parts) {
  /** @type {Map<number, number>} */
  const sums = new Map()
  for (const { buckets, part } of parts) {
    for (const [from, count] of buckets) sums.set(from, (sums.get(from) ?? 0) + count * part)
  }
  return [...sums].sort(([a], [b]) => a - b)
}

module.exports = { EDGES, addedUp, coarse, weightOf }
