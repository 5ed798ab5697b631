'use strict'

// Reads a metric from a result, of the whole run or of a part of it: a named request, a stage, the iterations of a
// scenario, or a group.

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
 * @returns {number | null} null when it was not measured
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
 * @returns {Record<string, import('../instruments').ServerFigure | null> | undefined} the figures of the server then;
 *   undefined where it was not watched
 */
function serverIn (result, part) {
  return part === null ? result.server : findStage(result, part)?.server
}

/**
 * @param {import('./metric').Metric} metric a time
 * @param {About} about
 * @returns {Record<string, any>} the distribution that it is read from
 */
function timesOf ({ row }, about) {
  return row.time === undefined ? about.latency : about.times?.[row.time] ?? {}
}

/**
 * @param {import('./metric').Metric} metric a time
 * @param {import('./point').Point} point
 * @returns {Quantiles | null} of it in that point; null where there is none
 */
function quantilesIn ({ row: { time } }, point) {
  // Without a response, the latency consists of timeouts.
  if (time === undefined) return point.p50 === null ? null : { ...point, weight: point.requests || point.errors }
  return MEASURED.map(({ inPoint }) => inPoint?.(point).times[time] ?? null).find(found => found !== null) ?? null
}

/** @param {import('./point').Point} point @returns {Record<string, number>} what instruments counted in it */
function countedIn (point) {
  return Object.assign({}, ...MEASURED.map(({ inPoint }) => inPoint?.(point).counted))
}

/**
 * @param {import('./metric').Metric} metric
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {number} how many values it is a figure of; of a rate, how many things it counts, as far as they are known;
 *   of a share, of how many it is one
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
 * @returns {number[] | null} ms; null when the histogram is not there, or came from a file that has something else
 *   there
 */
function percentilesIn (latency, percentiles) {
  const histogram = decoded(latency)
  return histogram === null ? null : percentiles.map(percentile => histogram.percentile(percentile))
}

/**
 * @param {Record<string, any>} latency
 * @returns {Histogram | null} null when it is not there, or came from a file that has something else there
 */
function decoded ({ max, histogram: base64 }) {
  if (typeof base64 !== 'string') return null
  try {
    const histogram = Histogram.decode(base64)
    // The highest value is exact in a result, in the histogram it is the highest of its bucket.
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
 * @returns {Histogram | null} the distribution that it is read from; null when the result does not have it
 */
function histogramOf (metric, result, part) {
  const about = aboutOf(result, part)
  return about === null ? null : decoded(timesOf(metric, about))
}

/**
 * How much a latency would vary if as many requests were drawn again from its histogram, each independent of the
 * others. Of n drawn values the one at a percentile has a rank that is binomial, so the values one deviation of that
 * rank below and above give it (Woodruff, "Confidence Intervals for Medians and Other Position Measures", 1952).
 * @param {import('./metric').Metric} metric
 * @param {Record<string, any>} result
 * @returns {number} standard error, relative; 0 without a histogram
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
 * @typedef {object} About the sources of metrics: those of a run or a part of it
 * @property {Record<string, any>} latency of iterations, their duration
 * @property {Record<string, Record<string, any>>} [times] others, by the name of the metric
 * @property {Partial<import('./metric').Counted>} counted
 * @property {Partial<import('./metric').Counted>} perSecond nothing when no request ended
 *
 * @typedef {object} Quantiles of a time in a point of the series
 * @property {number} weight how much they count among those of other points
 * @property {number | null} [average]
 * @property {number | null} p50
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} max
 *
 * @typedef {object} PointFigures what metrics are read from, of a point of the series
 * @property {Record<string, Quantiles | null>} times by their names; null where the point has no value
 * @property {Record<string, number>} counted
 *
 * @typedef {(point: import('./point').Point) => PointFigures} InPoint
 *
 * @typedef {(figures: Record<string, any>) => Partial<About>} Read of a run or a part of it, of which older versions
 *   have less
 */

/**
 * @param {Record<string, any>} result
 * @param {string | null} part the name of a part
 * @returns {About | null} null when there is no such part
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
 * @param {About & { figures?: Record<string, any> }} found by an instrument; `figures` of the part, which others read
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
 *   for instruments
 */
function measuredIn (figures) {
  const all = MEASURED.map(({ read }) => read?.(figures) ?? {})
  /** @param {'times' | 'counted' | 'perSecond'} key */
  const together = key => Object.assign({}, ...all.map(one => one[key]))
  return { times: together('times'), counted: together('counted'), perSecond: together('perSecond') }
}

/** @param {Record<string, any>} result of which older versions and autocannon 9 have less @returns {About} */
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
  /** @type {any} named requests and stages, each with different keys */
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
 * @returns {{ responses: number, others: number, errors: number, unexpected: number }} `others`: those other than 2xx,
 *   but for redirects that were followed, and 4xx and 5xx that were expected; `unexpected`: the other 4xx and 5xx
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
