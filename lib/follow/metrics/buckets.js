'use strict'

// Converts a distribution into classic buckets of Prometheus and exponential buckets, which Prometheus calls native.
// Each value counts as the upper end of its HdrHistogram bucket, as in percentiles of a report: exact below 2.048 ms,
// and at most 0.1 % too high above.

const { highestOf } = require('../../record/buckets')

/** Upper bounds in s: the recommendation of OpenTelemetry for HTTP, with additional ones below 5 ms. */
const BOUNDS = Object.freeze([
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30,
  60
])

/** 2^SCALE buckets per power of two: 2^3 make each 9 % wide. */
const SCALE = 3

/**
 * @typedef {import('../../record/histogram').Histogram} Histogram
 * @typedef {object} Exponential
 * @property {number} scale
 * @property {number} offset of the first bucket: it begins above base^offset seconds, base being 2^(2^-scale)
 * @property {number[]} counts per bucket from the offset on
 */

/**
 * @param {Histogram} histogram in µs
 * @returns {Array<[us: number, count: number]>} ascending
 */
function valuesOf (histogram) {
  const { buckets, max } = histogram.encode()
  /** @type {Array<[number, number]>} */
  const values = []
  for (let i = 0; i < buckets.length; i += 2) values.push([Math.min(highestOf(buckets[i]), max), buckets[i + 1]])
  return values
}

/** Returns the number of values at or below each bound. @type {(histogram: Histogram) => number[]} */
function classicOf (histogram) {
  const values = valuesOf(histogram)
  let next = 0
  let count = 0
  return BOUNDS.map(bound => {
    // Rounds to µs, because 0.0025 s * 1e6 is not exactly 2500.
    const us = Math.round(bound * 1e6)
    for (; next < values.length && values[next][0] <= us; next++) count += values[next][1]
    return count
  })
}

/** @type {(histogram: Histogram) => Exponential} */
function exponentialOf (histogram) {
  const values = valuesOf(histogram)
  if (values.length === 0) return { scale: SCALE, offset: 0, counts: [] }
  const offset = indexOf(values[0][0])
  /** @type {number[]} */
  const counts = new Array(indexOf(values[values.length - 1][0]) - offset + 1).fill(0)
  for (const [us, n] of values) counts[indexOf(us) - offset] += n
  return { scale: SCALE, offset, counts }
}

/**
 * Returns the index of the bucket above base^index, up to and including base^(index + 1).
 * @type {(us: number) => number}
 */
function indexOf (us) {
  const index = Math.ceil(Math.log2(us / 1e6) * 2 ** SCALE) - 1
  // The logarithm of a power of two may be inexact.
  if (us / 1e6 > 2 ** ((index + 1) / 2 ** SCALE)) return index + 1
  return us / 1e6 <= 2 ** (index / 2 ** SCALE) ? index - 1 : index
}

module.exports = { BOUNDS, SCALE, classicOf, exponentialOf }
