'use strict'

// Reads the figure of a metric from a result: of the whole run, or of a part of it (a named request, a stage, the
// iterations of a scenario, or a group).

const { Histogram } = require('../record/histogram')
const { percentileKey } = require('../record/percentiles')
const { countErrors, countNon2xx } = require('../record/statuses')
const { unmeasuredIn } = require('./goodput')
const { MEASURED } = require('./metric')
const { countsIn, findPart, findStage, successesOf } = require('./parts')

/**
 * @param {import('./metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} [part] the name of a part
 * @returns {number | null} null if it was not measured
 */
function figureOf (metric, result, part = null) {
  const { server, which = 'average' } = metric.row
  if (server !== undefined) return serverIn(result, part)?.[server]?.[which] ?? null
  const about = aboutOf(result, part)
  if (about === null) return null
  const { counted } = about
  const { of, per, latency: figure, goodput } = metric.row
  if (metric.unit === 'ms') {
    const latency = timesOf(metric, about)
    if (!(latency.totalCount > 0)) return null
    return metric.percentile === null
      ? latency[/** @type {string} */ (figure)] ?? null
      : percentileOf(latency, metric.percentile)
  }
  if (of === undefined) return null
  if (per === 'seconds') return about.perSecond[of] ?? null
  const [some, all] = [counted[of] ?? null, per === undefined ? 1 : counted[per] ?? 0]
  if (some === null || !(all > 0)) return null
  if (goodput !== undefined && some > 0 && unmeasuredIn(goodput.expression, about.times) !== null) return null
  return metric.unit === 'share' ? some / all : some
}

/**
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a stage
 * @returns {Record<string, import('../instruments').ServerFigure | null> | undefined} the figures of the server in that
 *   time; undefined if it was not watched
 */
function serverIn (result, part) {
  return part === null ? result.server : findStage(result, part)?.server
}

/**
 * @param {import('./metric').Metric} metric a time
 * @param {About} about
 * @returns {Record<string, any>} its distribution
 */
function timesOf ({ row }, about) {
  return row.time === undefined ? about.latency : about.times?.[row.time] ?? {}
}

/**
 * @param {import('./metric').Metric} metric a time
 * @param {import('./point').Point} point
 * @returns {Quantiles | null} null without a value in that point
 */
function quantilesIn ({ row: { time } }, point) {
  // Without a response, the latency has timeouts only.
  if (time === undefined) return point.p50 === null ? null : { ...point, weight: point.requests || point.errors }
  return MEASURED.map(({ inPoint }) => inPoint?.(point).times[time] ?? null).find(found => found !== null) ?? null
}

/** @param {import('./point').Point} point @returns {Record<string, number>} the counts of instruments in it */
function countedIn (point) {
  return Object.assign({}, ...MEASURED.map(({ inPoint }) => inPoint?.(point).counted))
}

/**
 * @param {import('./metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {number} the number of values of a time, the count behind a rate (0 if unknown), or the divisor of a share
 */
function countOf (metric, result, part) {
  const about = aboutOf(result, part)
  if (about === null) return 0
  const { unit, row: { of = '', per = '' } } = metric
  return (unit === 'ms' ? timesOf(metric, about).totalCount : about.counted[unit === 'share' ? per : of]) ?? 0
}

/** @param {Record<string, any>} latency @param {number} percentile @returns {number | null} ms */
function percentileOf (latency, percentile) {
  return latency[percentileKey(percentile)] ?? percentilesIn(latency, [percentile])?.[0] ?? null
}

/**
 * @param {Record<string, any>} latency
 * @param {number[]} percentiles
 * @returns {number[] | null} ms; null without a valid histogram
 */
function percentilesIn (latency, percentiles) {
  const histogram = decoded(latency)
  return histogram === null ? null : percentiles.map(percentile => histogram.percentile(percentile))
}

/**
 * @param {Record<string, any>} latency
 * @returns {Histogram | null} null without a valid one
 */
function decoded ({ max, histogram: base64 }) {
  if (typeof base64 !== 'string') return null
  try {
    const histogram = Histogram.decode(base64)
    // The maximum of a result is exact. That of a histogram is the upper end of its bucket.
    if (histogram.count > 0 && Number.isFinite(max)) histogram.max = Math.min(histogram.max, Math.round(max * 1000))
    return histogram
  } catch {
    return null
  }
}

/**
 * @param {import('./metric').Metric} metric a time
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {Histogram | null} its distribution; null if the result has none
 */
function histogramOf (metric, result, part) {
  const about = aboutOf(result, part)
  return about === null ? null : decoded(timesOf(metric, about))
}

/**
 * The standard error of a latency if all requests were independent. The rank of a percentile is binomial, so the error
 * follows from the values one deviation of the rank below and above it (Woodruff, "Confidence Intervals for Medians and
 * Other Position Measures", 1952).
 * @param {import('./metric').Metric} metric
 * @param {Record<string, any>} result
 * @returns {number} relative; 0 without a histogram
 */
function samplingError (metric, result) {
  const { row, percentile } = metric
  const latency = timesOf(metric, wholeRun(result))
  const n = latency.totalCount
  if (row.latency === 'average') return latency.stddev / Math.sqrt(n) / latency.average
  if (percentile === null) return 0
  const deviation = Math.sqrt(percentile * (100 - percentile) / n)
  const values = percentilesIn(
    latency, [Math.max(0, percentile - deviation), percentile, Math.min(100, percentile + deviation)]
  )
  return values === null ? 0 : (values[2] - values[0]) / 2 / values[1]
}

/**
 * @typedef {object} About the sources of metrics, of a run or a part of it
 * @property {Record<string, any>} latency of iterations, their duration
 * @property {Record<string, Record<string, any>>} [times] others, by the name of the metric
 * @property {Partial<import('./metric').Counted>} counted
 * @property {Partial<import('./metric').Counted>} perSecond empty if no request ended
 *
 * @typedef {object} Quantiles of a time in a point of the series
 * @property {number} weight in a mean over several points
 * @property {number | null} [average]
 * @property {number | null} p50
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} max
 *
 * @typedef {object} PointFigures the sources of metrics in a point of the series
 * @property {Record<string, Quantiles | null>} times by name; null if the point has no value
 * @property {Record<string, number>} counted
 *
 * @typedef {(point: import('./point').Point) => PointFigures} InPoint
 *
 * @typedef {(figures: Record<string, any>) => Partial<About>} Read of a run or a part of it; results of older versions
 *   have fewer figures
 */

/**
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {About | null} null if there is no such part
 */
function aboutOf (result, part) {
  if (part === null) return wholeRun(result)
  for (const { ofPart } of MEASURED) {
    const found = ofPart?.(result, part) ?? null
    if (found !== null) return withMeasured(found)
  }
  return partOf(result, part)
}

/**
 * @param {About & { figures?: Record<string, any> }} found by an instrument; `figures` are read by the other ones
 * @returns {About}
 */
function withMeasured ({ figures = {}, ...about }) {
  const { times, counted, perSecond } = measuredIn(figures)
  return {
    ...about,
    times: { ...times, ...about.times },
    counted: { ...counted, ...about.counted },
    perSecond: { ...perSecond, ...about.perSecond }
  }
}

/**
 * @param {Record<string, any>} figures of a run or a part of it
 * @returns {{ times: Record<string, any>, counted: Record<string, any>, perSecond: Record<string, any> }} the sources
 *   of all instruments
 */
function measuredIn (figures) {
  const all = MEASURED.map(({ read }) => read?.(figures) ?? {})
  /** @param {'times' | 'counted' | 'perSecond'} key */
  const together = key => Object.assign({}, ...all.map(one => one[key]))
  return { times: together('times'), counted: together('counted'), perSecond: together('perSecond') }
}

/** @param {Record<string, any>} result @returns {About} */
function wholeRun (result) {
  const {
    latency, requests, throughput, failures, errors, timeouts, non2xx, mismatches, compared, resent, fates
  } = result
  const measured = measuredIn(result)
  const responses = requests.total
  const ended = successesOf(result) + errors
  return {
    latency,
    times: measured.times,
    counted: {
      responses,
      ended,
      // A request that was never sent has no time.
      sent: fates === undefined ? ended : responses + fates.timedOut + fates.failed,
      written: requests.sent,
      resent,
      failures,
      errors,
      timeouts,
      non2xx,
      mismatches,
      compared,
      ...measured.counted
    },
    perSecond: { ...ended > 0 && { responses: requests.average, bytes: throughput?.average }, ...measured.perSecond }
  }
}

/** @param {Record<string, any>} result @param {string} name @returns {About | null} */
function partOf (result, name) {
  /** @type {any} named requests and stages have different keys */
  const part = findPart(result, name)
  if (part === null) return null
  const { count: responses, perSecond, failures, errors, non2xx, latency, timeouts, bytes, seconds, fates } = part
  const ended = responses + errors
  const measured = measuredIn(part)
  return {
    latency,
    times: measured.times,
    counted: {
      responses,
      ended,
      failures,
      errors,
      non2xx,
      ...fates !== undefined && { timeouts, sent: responses + fates.timedOut + fates.failed },
      ...measured.counted
    },
    perSecond: {
      ...ended > 0 && { responses: perSecond, ...typeof bytes === 'number' && { bytes: bytes / seconds } },
      ...measured.perSecond
    }
  }
}

/**
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part of it
 * @returns {{ responses: number, others: number, errors: number, unexpected: number }} `others`: responses other than
 *   2xx, without followed redirects and expected 4xx and 5xx; `unexpected`: unexpected 4xx and 5xx
 */
function responsesOf (result, part) {
  /** @type {any} */
  const figures = part === null ? result : findPart(result, part)
  const { statusCodeStats, errors, unexpected, redirects = 0 } = figures
  const statuses = countsIn(statusCodeStats)
  const responses = part === null ? successesOf(result) : figures.count
  return {
    responses,
    others: Math.max(0, countNon2xx(statuses) - (countErrors(statuses) - unexpected) - redirects),
    errors,
    unexpected
  }
}

module.exports = { serverIn, figureOf, countOf, countedIn, histogramOf, quantilesIn, responsesOf, samplingError }
