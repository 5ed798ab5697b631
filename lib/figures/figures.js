'use strict'

// Owns how a metric is read from a result, of the whole run or of a named request.

const { Histogram } = require('../record/histogram')
const { countErrors, countNon2xx } = require('../record/statuses')

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
    return metric.percentile === null ? latency[metric.name === 'avg' ? 'average' : metric.name] ?? null : percentileOf(latency, metric.key, metric.percentile)
  }
  return of.counts[metric.key] ?? null
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

/**
 * @typedef {Record<string, number | null | undefined>} Counts by the key of a metric; null or undefined where nothing was
 *   measured: of no answers, that none of them failed says nothing
 */

/** @param {Record<string, any>} result of which older versions and autocannon 9 have less */
function wholeRun ({ latency, requests, throughput, failures, errors, timeouts, non2xx, mismatches, compared, checks, rate, fates }) {
  const answered = requests.total
  const ended = answered + errors
  return {
    latency,
    counts: /** @type {Counts} */ ({
      ...share('failures', failures, ended, 'failure rate'),
      ...share('errors', errors, ended, 'error rate'),
      // A request that was never sent has no time.
      ...share('timeouts', timeouts, fates === undefined ? ended : answered + fates.timedOut + fates.failed),
      ...share('non2xx', non2xx, answered),
      ...share('mismatches', mismatches, compared),
      ...checksOf(checks),
      ...ended > 0 && { rps: requests.average, 'bytes/s': throughput.average, requests: answered },
      'rate ratio': rate?.sent > 0 ? rate.ratio : null
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
  const { count, failures, errors, statusCodeStats, checks, latency } = one
  const ended = count + errors
  return {
    latency,
    counts: /** @type {Counts} */ ({
      ...share('failures', failures, ended, 'failure rate'),
      ...share('errors', errors, ended, 'error rate'),
      ...share('non2xx', countNon2xx(countsIn(statusCodeStats)), count),
      ...checksOf(checks),
      ...ended > 0 && { rps: count / duration, requests: count }
    })
  }
}

/**
 * @param {string} name
 * @param {number | undefined} some
 * @param {number | undefined} all that were measured
 * @param {string} [rate] the name of the share
 * @returns {Counts} nothing of nothing
 */
function share (name, some, all, rate = `${name} share`) {
  return some === undefined || all === undefined || !(all > 0) ? {} : { [name]: some, [rate]: some / all }
}

/** @param {Array<{ passed: number, failed: number }>} [checks] */
function checksOf (checks = []) {
  const failed = checks.reduce((sum, { failed }) => sum + failed, 0)
  return share('checks', failed, checks.reduce((sum, { passed }) => sum + passed, failed))
}

/**
 * @param {Record<string, any>} result
 * @param {string | null} request the name of a request in it
 * @returns {{ answers: number, others: number, errors: number, unexpected: number }} `others`: those other than 2xx, but for 4xx and
 *   5xx that were expected; `unexpected`: the other 4xx and 5xx
 */
function answersOf (result, request) {
  const { statusCodeStats, errors, unexpected } = request === null ? result : result.byRequest[request]
  const statuses = countsIn(statusCodeStats)
  const answers = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return { answers, others: countNon2xx(statuses) - (countErrors(statuses) - unexpected), errors, unexpected }
}

/** @param {Record<string, { count: number }>} stats */
function countsIn (stats) {
  return Object.fromEntries(Object.entries(stats).map(([status, { count }]) => [status, count]))
}

module.exports = { figureOf, answersOf, samplingError }
