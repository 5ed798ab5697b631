'use strict'

// One point of a series: its counts while it is open, its figures once it is closed, and the merge of closed points.

const { sum, sumOf } = require('../core/statistics')
const { round } = require('../core/units')
const { INSTRUMENTS } = require('../instruments')

/**
 * @typedef {object} Latencies
 * @property {number} time of its start, ms since the figures began
 * @property {number} length ms
 * @property {number} requests completed
 * @property {number} bytes read
 * @property {number} non2xx responses
 * @property {number} failures
 * @property {number} errors
 * @property {Record<string, number>} errorCodes
 * @property {number} resent requests that were sent again
 * @property {number} [redirects] redirects that were followed, which `non2xx` includes; left out for none
 * @property {number | null} average latency in ms; null when no request ended
 * @property {number | null} p50
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} max
 * @property {number} [readLate] p99 of the delay from the arrival in the kernel to the read, ms; left out if no arrival
 *   is known
 *
 * @typedef {object} Gauges of a load that changes over time
 * @property {number} [target] average of the due requests per second, or target of the connections at its end
 * @property {number} [connections] that are open at its end
 *
 * @typedef {Latencies & Gauges & import('../instruments').PointOf} Point with the figures of instruments
 *
 * @typedef {Array<{ point: Point, part: number, ms: number }>} Parts points to merge; `part`: the share of the point
 *   that counts, `ms`: the time of that share
 */

/**
 * @typedef {object} OpenPoint
 * @property {number} requests
 * @property {number} bytes
 * @property {number} non2xx
 * @property {number} failures without errors
 * @property {Record<string, number>} errorCodes
 * @property {number} resent
 * @property {number} redirects
 * @property {number[]} lengths of each generator, ms
 * @property {import('../record/usage').Usage[]} usages of each generator
 * @property {number[]} connections of each generator that are open, in a run with stages
 * @property {import('../record/histogram').Histogram | null} latency
 * @property {import('../record/histogram').Histogram | null} late
 */

/** The `point` of each instrument that has one. @type {any[]} */
const POINTS = Object.values(INSTRUMENTS)
  .flatMap((/** @type {any} */ { point }) => point === undefined ? [] : [point()])

/** @returns {OpenPoint} */
function openPoint () {
  return {
    requests: 0, bytes: 0, non2xx: 0, failures: 0, errorCodes: {}, resent: 0, redirects: 0, lengths: [], usages: [],
    connections: [], latency: null, late: null
  }
}

/** @param {number} time @param {OpenPoint} open @returns {Latencies} */
function pointOf (time, { requests, bytes, non2xx, failures, errorCodes, resent, redirects, lengths, latency, late }) {
  const errors = sum(Object.values(errorCodes))
  return {
    time,
    length: round(lengths.reduce((longest, length) => Math.max(longest, length), 0)),
    requests,
    bytes,
    non2xx,
    failures: failures + errors,
    errors,
    errorCodes,
    resent,
    ...redirects > 0 && { redirects },
    average: latency && round(latency.sum / latency.count / 1000),
    p50: latency && round(latency.percentile(50)),
    p95: latency && round(latency.percentile(95)),
    p99: latency && round(latency.percentile(99)),
    max: latency && round(latency.max / 1000),
    ...late !== null && { readLate: round(late.percentile(99)) }
  }
}

/**
 * @param {Point} a
 * @param {Point} b the next in time
 * @returns {Point} both together
 */
function joined (a, b) {
  return together([a, b].map(point => ({ point, part: 1, ms: point.length })), a.time, a.length + b.length, true)
}

/**
 * @param {Parts} parts
 * @param {number} time
 * @param {number} length ms
 * @param {boolean} [inRow] whether they follow each other; otherwise they are of the same time
 * @returns {Point}
 */
function together (parts, time, length, inRow = false) {
  return Object.assign(
    totalsOf(parts),
    { time, length: round(length) },
    ...POINTS.map(point => point.together(parts, length, inRow)),
    gaugesOf(parts, length)
  )
}

/**
 * Percentiles cannot be added. Their mean, weighted by requests, is between the lowest and the highest, as the true
 * one.
 * @param {Parts} parts
 * @returns {Latencies} without time and length
 */
function totalsOf (parts) {
  /** @type {Record<string, number>} */
  const errorCodes = {}
  for (const { point, part } of parts) addCounts(errorCodes, point.errorCodes, part)
  /**
   * @param {'requests' | 'bytes' | 'non2xx' | 'failures' | 'errors' | 'resent' | 'redirects'} key points of older
   *   versions have no `resent`
   */
  const total = key => round(sumOf(parts, ({ point, part }) => (point[key] ?? 0) * part))
  const withResponses = parts.filter(({ point }) => point.p50 !== null)
  const weights = withResponses.map(({ point, part }) => (point.requests + point.errors || 1) * part)
  const weight = sum(weights)
  /** @param {'average' | 'p50' | 'p95' | 'p99'} key */
  const mean = key => withResponses.length === 0
    ? null
    : round(sumOf(withResponses, ({ point }, i) => (point[key] ?? 0) * weights[i]) / weight)
  const redirects = total('redirects')
  const timed = parts.filter(({ point }) => point.readLate !== undefined)
  const responses = sumOf(timed, ({ point, part }) => point.requests * part)
  const late = sumOf(timed, ({ point, part }) => Number(point.readLate) * point.requests * part)
  return {
    time: 0,
    length: 0,
    requests: total('requests'),
    bytes: total('bytes'),
    non2xx: total('non2xx'),
    failures: total('failures'),
    errors: total('errors'),
    errorCodes,
    resent: total('resent'),
    ...redirects > 0 && { redirects },
    average: mean('average'),
    p50: mean('p50'),
    p95: mean('p95'),
    p99: mean('p99'),
    max: withResponses.length === 0 ? null : Math.max(...parts.map(({ point }) => point.max ?? 0)),
    ...responses > 0 && { readLate: round(late / responses) }
  }
}

/**
 * @param {Parts} parts
 * @param {number} length of the time, ms
 * @returns {Gauges} the sum over all runs; none for a constant load
 */
function gaugesOf (parts, length) {
  /** @type {Gauges} */
  const gauges = {}
  for (const key of /** @type {const} */ (['target', 'connections'])) {
    const measured = parts.filter(({ point }) => point[key] !== undefined)
    if (measured.length > 0) {
      gauges[key] = round(sumOf(measured, ({ point, ms }) => (point[key] ?? 0) * ms) / (length || 1))
    }
  }
  return gauges
}

/** @param {Record<string, number>} counts is added to @param {Record<string, number>} more @param {number} [part] */
function addCounts (counts, more, part = 1) {
  for (const [key, n] of Object.entries(more)) counts[key] = round((counts[key] ?? 0) + n * part)
}

module.exports = { POINTS, openPoint, pointOf, joined, together, addCounts }
