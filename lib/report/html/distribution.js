'use strict'

// The data of charts of a distribution, from the HdrHistogram of a result: counts in bins, and the value at each
// percentile.

const { sumOf } = require('../../core/statistics')
const { decode } = require('../../record/hdr')

/** The greatest number of bins. */
const BINS = 64

/** The percentiles of a decade, as 100 − p relative to its start. */
const STEPS = [1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15]

/** @typedef {{ us: Float64Array, counts: Float64Array, total: number }} Values rising, in whole µs */

/**
 * @param {{ histogram?: string, totalCount: number }} distribution of a result
 * @returns {Values} none without a valid histogram
 */
function valuesOf ({ histogram, totalCount }) {
  const values = typeof histogram === 'string' && totalCount > 0 ? decoded(histogram) : []
  return {
    us: Float64Array.from(values, ([us]) => us),
    counts: Float64Array.from(values, ([, count]) => count),
    total: sumOf(values, ([, count]) => count)
  }
}

/** @param {string} histogram @returns {Array<[number, number]>} */
function decoded (histogram) {
  try {
    return decode(histogram)
  } catch {
    return []
  }
}

/**
 * @param {Values[]} all at least one of them with a value
 * @returns {number[]} the edges of the bins in µs, at equal distances on a log scale; the last one is above all values
 */
function edgesOf (all) {
  const some = all.filter(({ total }) => total > 0)
  const least = Math.min(...some.map(({ us }) => us[0]))
  const greatest = Math.max(...some.map(({ us }) => us[us.length - 1]))
  const edges = Array.from({ length: BINS }, (_, i) => Math.round(least * (greatest / least) ** (i / BINS)))
  return [...new Set(edges), greatest + 1]
}

/** @param {Values} values @param {number[]} edges @returns {number[]} the count in each bin */
function binsOf ({ us, counts }, edges) {
  const bins = new Array(edges.length - 1).fill(0)
  let bin = 0
  for (let i = 0; i < us.length; i++) {
    while (us[i] >= edges[bin + 1]) bin++
    bins[bin] += counts[i]
  }
  return bins
}

/**
 * @param {number} total
 * @returns {number[]} percentiles from 0 on, up to the last one that this number of values supports
 */
function percentilesFor (total) {
  const percentiles = []
  for (let decade = 1; decade <= total; decade *= 10) {
    for (const step of STEPS) {
      if (total * step / decade >= 1) percentiles.push(Math.round((100 - 100 * step / decade) * 1e9) / 1e9)
    }
  }
  return percentiles
}

/**
 * @param {Values} values
 * @param {number[]} percentiles rising
 * @returns {Array<number | null>} ms; null with too few values
 */
function curveOf ({ us, counts, total }, percentiles) {
  let i = -1
  let seen = 0
  return percentiles.map(percentile => {
    if (total * (1 - percentile / 100) < 0.999) return null
    while (i < us.length - 1 && (i === -1 || seen < total * percentile / 100 - 1e-6)) seen += counts[++i]
    return us[i] / 1000
  })
}

module.exports = { valuesOf, edgesOf, binsOf, percentilesFor, curveOf }
