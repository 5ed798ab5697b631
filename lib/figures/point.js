'use strict'

// Owns one point of a series: what is counted in it, the figures it has when it is closed, and how closed points become one.

const { round } = require('../core/units')
const { rankOf, spoils } = require('../instruments/generator/verdict')
const { serverOf } = require('../instruments/server/result')
const { longestOf } = require('../record/usage')

/**
 * @typedef {object} Latencies
 * @property {number} time ms since the start, where it begins
 * @property {number} length ms
 * @property {number} requests completed
 * @property {number} bytes read
 * @property {number} non2xx answers
 * @property {number} failures
 * @property {number} errors
 * @property {Record<string, number>} errorCodes
 * @property {number} resent requests that were sent again
 * @property {number} [redirects] redirects that were followed, which are among `non2xx`; left out where there are none
 * @property {number | null} average latency in ms; null when no request ended
 * @property {number | null} p50
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} max
 * @property {number} [readLate] p99 of how many ms after their arrival in the kernel responses were read; left out where no arrival is known
 *
 * @typedef {object} PointHealth of the worst generator
 * @property {number} cpu share of a core, 0 to 1
 * @property {number} eventLoopUtilization 0 to 1
 * @property {number | null} runDelay the part of the time in which it waited for a core; null where the system does not tell
 * @property {number} blocked the part of the time that long turns of the event loop took
 * @property {import('../instruments/generator/verdict').Verdict | null} verdict
 *
 * @typedef {object} Gauges what a load that changes over time is to be, and is; and what a server did that is watched
 * @property {number} [target] requests per second that are due, on average, or connections that there are to be at the end
 * @property {number} [connections] that are open at the end
 * @property {import('../instruments/server/result').ServerPoint | null} [server] null where it was not looked at
 *
 * @typedef {Latencies & PointHealth & Gauges} Point
 */

/**
 * @typedef {object} OpenPoint
 * @property {number} requests
 * @property {number} bytes
 * @property {number} non2xx
 * @property {number} failures but for errors
 * @property {Record<string, number>} errorCodes
 * @property {number} resent
 * @property {number} redirects
 * @property {number[]} lengths of each generator, ms
 * @property {import('../record/usage').Usage[]} usages of each generator
 * @property {number[]} connections of each generator that are open, in a run with stages
 * @property {import('../record/histogram').Histogram | null} latency
 * @property {import('../record/histogram').Histogram | null} late
 */

/** @returns {OpenPoint} */
function openPoint () {
  return { requests: 0, bytes: 0, non2xx: 0, failures: 0, errorCodes: {}, resent: 0, redirects: 0, lengths: [], usages: [], connections: [], latency: null, late: null }
}

/**
 * @param {number} time
 * @param {OpenPoint} open
 * @returns {Latencies}
 */
function pointOf (time, { requests, bytes, non2xx, failures, errorCodes, resent, redirects, lengths, latency, late }) {
  const errors = Object.values(errorCodes).reduce((sum, n) => sum + n, 0)
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
  const length = a.length + b.length
  /** @param {'cpu' | 'eventLoopUtilization' | 'runDelay' | 'blocked'} key */
  const mean = key => round(((a[key] ?? 0) * a.length + (b[key] ?? 0) * b.length) / (length || 1))
  const both = sumOf([{ point: a, part: 1 }, { point: b, part: 1 }])
  return {
    ...both,
    time: a.time,
    length: round(length),
    cpu: mean('cpu'),
    eventLoopUtilization: mean('eventLoopUtilization'),
    runDelay: both.runDelay === null ? null : mean('runDelay'),
    blocked: mean('blocked'),
    ...gaugesOf([{ point: a, ms: a.length }, { point: b, ms: b.length }], length),
    // That of the longer one: the worst of many points that become one would soon stand for all of them.
    verdict: a.length === b.length ? both.verdict : (a.length > b.length ? a : b).verdict ?? null
  }
}

/**
 * Percentiles can't be added: their mean by number of requests lies between the least and the greatest, as the true one.
 * @param {Array<{ point: Point, part: number }>} parts
 * @returns {Point} without a time and a length of its own
 */
function sumOf (parts) {
  /** @type {Record<string, number>} */
  const errorCodes = {}
  for (const { point, part } of parts) addCounts(errorCodes, point.errorCodes, part)
  /** @param {'requests' | 'bytes' | 'non2xx' | 'failures' | 'errors' | 'resent' | 'redirects'} key points of older versions have no `resent` */
  const total = key => round(parts.reduce((sum, { point, part }) => sum + (point[key] ?? 0) * part, 0))
  /** @param {'max' | 'cpu' | 'eventLoopUtilization' | 'runDelay' | 'blocked'} key */
  const greatest = key => Math.max(...parts.map(({ point }) => point[key] ?? 0))
  const answered = parts.filter(({ point }) => point.p50 !== null)
  const weights = answered.map(({ point, part }) => (point.requests + point.errors || 1) * part)
  const weight = weights.reduce((sum, weight) => sum + weight, 0)
  /** @param {'average' | 'p50' | 'p95' | 'p99'} key */
  const mean = key => answered.length === 0 ? null : round(answered.reduce((sum, { point }, i) => sum + (point[key] ?? 0) * weights[i], 0) / weight)
  const redirects = total('redirects')
  const timed = parts.filter(({ point }) => point.readLate !== undefined)
  const responses = timed.reduce((sum, { point, part }) => sum + point.requests * part, 0)
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
    max: answered.length === 0 ? null : greatest('max'),
    ...responses > 0 && { readLate: round(timed.reduce((sum, { point, part }) => sum + Number(point.readLate) * point.requests * part, 0) / responses) },
    cpu: greatest('cpu'),
    eventLoopUtilization: greatest('eventLoopUtilization'),
    // Points of older versions do not have these.
    runDelay: longestOf(parts.map(({ point }) => point.runDelay)),
    blocked: greatest('blocked'),
    verdict: worstVerdict(parts)
  }
}

/**
 * @param {Array<{ point: Point, ms: number }>} parts how much of the time each covers; those of several runs cover the same time
 * @param {number} length of the time, ms
 * @returns {Gauges} load added up over runs; none where there are none
 */
function gaugesOf (parts, length) {
  /** @type {Gauges} */
  const gauges = {}
  for (const key of /** @type {const} */ (['target', 'connections'])) {
    const measured = parts.filter(({ point }) => point[key] !== undefined)
    if (measured.length > 0) gauges[key] = round(measured.reduce((sum, { point, ms }) => sum + (point[key] ?? 0) * ms, 0) / (length || 1))
  }
  return { ...gauges, ...serverOf(parts) }
}

/**
 * @param {Array<{ point: Point, part: number }>} parts
 * @returns {Point['verdict']} the worst, of those that are there for the most part; null when one that is not known may have been worse
 */
function worstVerdict (parts) {
  const most = parts.filter(({ part }) => part >= 0.5)
  const verdicts = (most.length > 0 ? most : parts).map(({ point }) => point.verdict ?? null)
  const worst = verdicts.reduce((worst, verdict) => rankOf(verdict) > rankOf(worst) ? verdict : worst, null)
  return spoils(worst) || !verdicts.includes(null) ? worst : null
}

/**
 * @param {Record<string, number>} counts is added to
 * @param {Record<string, number>} more
 * @param {number} [part]
 */
function addCounts (counts, more, part = 1) {
  for (const [key, n] of Object.entries(more)) counts[key] = round((counts[key] ?? 0) + n * part)
}

module.exports = { openPoint, pointOf, joined, sumOf, gaugesOf, addCounts }
