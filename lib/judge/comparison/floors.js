'use strict'

// The least variance of a figure that is assumed even if all runs have the same value. Runs with 45 µs each were
// rounded to it, and no failure among 1,000 requests does not mean that there is none.

const { sumOf } = require('../../core/statistics')
const { countOf } = require('../../figures/figures')
const { widthOf } = require('../../record/buckets')

/**
 * How far two figures may be apart by rounding alone. More runs cannot reduce it, as all may be rounded the same way.
 * @param {import('../../figures/metric').Metric} metric
 * @param {Array<Record<string, any>>} results
 * @param {number} least of their figures
 * @returns {number} relative; 0 for a share, which has the error of counts only
 */
function resolutionOf (metric, results, least) {
  const { unit, percentile, row } = metric
  if (unit === 'share') return 0
  // A run may end just before or just after a response.
  if (unit !== 'ms') {
    return 1 / Math.max(1, ...results.map(result => countOf(metric, result, null) || result.requests.total))
  }
  // Percentiles of autocannon 9 are whole ms.
  const coarse = percentile !== null && row.time === undefined &&
    results.some(({ latency }) => !Object.hasOwn(latency, 'histogram'))
  return (coarse ? 1000 : percentile === null ? 1 : widthOf(Math.max(1, Math.round(least * 1000)))) / (least * 1000)
}

/**
 * With one more failure and one more success on each side, the normal distribution fits (Agresti and Caffo,
 * "Simple and Effective Confidence Intervals for Proportions and Differences of Proportions", 2000).
 * @param {import('../../figures/metric').Metric} metric a share
 * @param {Array<Record<string, any>>} results
 * @param {number} share of all of them
 * @returns {number} standard error, if all requests were independent
 */
function binomialError (metric, results, share) {
  const all = sumOf(results, result => countOf(metric, result, null))
  const likely = (share * all + 1) / (all + 2)
  return Math.sqrt(likely * (1 - likely) / (all + 2))
}

module.exports = { resolutionOf, binomialError }
