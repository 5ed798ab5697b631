'use strict'

// Owns how a metric is read from a result, of the whole run or of a named request.

const { Histogram } = require('./histogram')

/**
 * @param {import('./metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} [request] the name of a request
 * @returns {number | null} null when nothing was measured that could tell
 */
function figureOf (metric, result, request = null) {
  const of = request === null ? wholeRun(result) : namedRequest(result, request)
  if (of === null) return null
  const { latency } = of
  if (metric.unit === 'ms') {
    if (!(latency.totalCount > 0)) return null
    return metric.percentile === null ? latency[metric.name === 'avg' ? 'average' : metric.name] : percentileOf(latency, metric.key, metric.percentile)
  }
  const value = of.counts[metric.key]
  return value === undefined || Number.isNaN(value) ? null : value
}

/**
 * @param {Record<string, any>} latency
 * @param {string} key
 * @param {number} percentile
 * @returns {number | null} ms
 */
function percentileOf (latency, key, percentile) {
  return latency[key] ?? percentilesIn(latency, [percentile])?.[0] ?? null
}

/**
 * @param {Record<string, any>} latency
 * @param {number[]} percentiles
 * @returns {number[] | null} ms; null when the histogram is not there, or came from a file that has something else there
 */
function percentilesIn ({ max, histogram: base64 }, percentiles) {
  if (typeof base64 !== 'string') return null
  let histogram
  try {
    histogram = Histogram.decode(base64)
  } catch {
    return null
  }
  // The highest value is exact in a result, in the histogram it is the highest of its bucket.
  return percentiles.map(percentile => Math.min(histogram.percentile(percentile), Number.isFinite(max) ? max : Infinity))
}

/**
 * How much a latency would vary if as many requests were drawn again from its histogram, each independent of the others.
 * Of n drawn values the one at a percentile has a rank that is binomial, so the values one deviation of that rank below
 * and above tell (Woodruff, "Confidence Intervals for Medians and Other Position Measures", 1952).
 * @param {import('./metric').Metric} metric
 * @param {Record<string, any>} result
 * @returns {number} standard error, relative; 0 where the histogram does not tell
 */
function samplingError ({ key, percentile }, { latency }) {
  const n = latency.totalCount
  if (key === 'avg') return latency.stddev / Math.sqrt(n) / latency.average
  if (percentile === null) return 0
  const deviation = Math.sqrt(percentile * (100 - percentile) / n)
  const values = percentilesIn(latency, [Math.max(0, percentile - deviation), percentile, Math.min(100, percentile + deviation)])
  return values === null ? 0 : (values[2] - values[0]) / 2 / values[1]
}

/** @param {Record<string, any>} result */
function wholeRun ({ latency, requests, throughput, errors, timeouts, non2xx, mismatches, checks = [], rate }) {
  const tried = requests.total + errors
  const { failed, made } = countChecks(checks)
  return {
    latency,
    counts: /** @type {Record<string, number | undefined>} */ ({
      rps: requests.average,
      'bytes/s': throughput.average,
      requests: requests.total,
      errors,
      'error rate': errors / tried,
      non2xx,
      'non2xx share': non2xx / requests.total,
      timeouts,
      'timeouts share': timeouts / tried,
      mismatches,
      'mismatches share': mismatches / requests.total,
      checks: failed,
      'checks share': failed / made,
      'rate ratio': rate?.ratio
    })
  }
}

/**
 * @param {Record<string, any>} result
 * @param {string} name
 */
function namedRequest ({ byRequest, duration }, name) {
  const one = byRequest !== undefined && Object.hasOwn(byRequest, name) ? byRequest[name] : undefined
  if (one === undefined) return null
  const { count, errors, statusCodeStats, checks = [], latency } = one
  const non2xx = Object.entries(statusCodeStats).reduce((sum, [status, { count }]) => status.startsWith('2') ? sum : sum + count, 0)
  const { failed, made } = countChecks(checks)
  return {
    latency,
    counts: /** @type {Record<string, number | undefined>} */ ({
      rps: count / duration,
      requests: count,
      errors,
      'error rate': errors / (count + errors),
      non2xx,
      'non2xx share': non2xx / count,
      checks: failed,
      'checks share': failed / made
    })
  }
}

/** @param {Array<{ passed: number, failed: number }>} checks */
function countChecks (checks) {
  const failed = checks.reduce((sum, { failed }) => sum + failed, 0)
  return { failed, made: checks.reduce((sum, { passed }) => sum + passed, failed) }
}

module.exports = { figureOf, samplingError }
