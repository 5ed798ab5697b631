'use strict'

// Finds effects of the start and end of a run: connections that opened late, a slow start, a server that stopped
// responding, and requests without a response.

const { error, info, warning } = require('../core/finding')
const { sumOf } = require('../core/statistics')
const { isOfIterations } = require('../core/amount')
const { gapsOf } = require('../figures/gaps')

/** The share of unfinished requests without a finding. */
const UNFINISHED = 0.01
/** The age from which on a single unfinished request has a finding, ms. */
const OLD = 500
/** The number of gaps that are named. */
const MOST_GAPS = 3
/** The share of a run for connecting without a finding. */
const CONNECTING = 0.05
/** In a run shorter than this, s, requests per second mean little in any case. */
const SHORT = 1

/** @typedef {import('./findings').Finding} Finding */

/**
 * A closed loop sends on each connection as soon as it is open.
 * @param {Record<string, any>} result
 * @returns {Finding[]}
 */
function lateConnections ({ connecting, connections, connect, duration, rate, iterations, requests, skipped }) {
  if (connecting === undefined || rate !== undefined || iterations?.target !== undefined || requests.total === 0 ||
      duration < SHORT) {
    return []
  }
  const ms = connecting.ms - 1000 * (skipped?.seconds ?? 0)
  if (ms < CONNECTING * duration * 1000) return []
  // The number of connections of undici is unknown.
  const made = Math.min(connect?.totalCount ?? connections, connections)
  const never = ms >= duration * 1000 - 1
  if (never && made === connections) return []
  const { requestsPerSecond } = connecting
  return [warning('late-connections', { made, connections, seconds: ms / 1000, duration, never, requestsPerSecond })]
}

/** @param {Record<string, any>} result @returns {Finding[]} */
function warmUp ({ warmingUp, requests, latency, skipped }) {
  if (warmingUp === undefined) return []
  const { seconds, requestsPerSecond, average } = warmingUp
  const effect = average === undefined
    ? { requestsPerSecond, higher: requestsPerSecond / requests.average - 1 }
    : { average, lower: 1 - average / latency.average }
  return [info('warm-up', { seconds, skipFirst: (skipped?.seconds ?? 0) + seconds, ...effect })]
}

/**
 * @param {Record<string, any>} result also of an older version, or of autocannon 9
 * @returns {Finding[]} that no response came for some time before the end
 */
function silence ({ silence, duration }) {
  return silence === undefined
    ? []
    : [error('silence', { seconds: silence.seconds, duration, waiting: silence.waiting })]
}

/**
 * A request without a response may take any time, which limits the percentiles that are known. A closed loop ends with
 * one on each connection, which are few of many. Its latency includes those that are older than any response, so the
 * oldest is the maximum.
 * @param {Record<string, any>} result
 * @returns {Finding[]}
 */
function unfinished (result) {
  const { rate, iterations, unfinished, latency, requests, timeouts } = result
  const closed = rate === undefined
  const sent = closed ? requests.sent : rate.sent
  const inLatency = latency.totalCount - requests.total - timeouts
  const old = closed && inLatency > 0 && latency.max >= OLD
  if (!(unfinished > UNFINISHED * sent || old)) return []
  const ended = Math.min(latency.totalCount, requests.total + timeouts)
  // A single one does not change the percentiles.
  if (closed && !old && (ended === 0 || unfinished < 2)) return []
  // Without a response no latency is shown.
  const percentile = ended === 0 || requests.total === 0 ? null : knownPercentile(ended / (ended + unfinished))
  return [warning('unfinished-requests', {
    unfinished, sent, closed, inLatency: Math.max(0, inLatency), oldest: latency.max, percentile,
    paced: iterations?.target !== undefined, lag: lagOf(result)
  })]
}

/**
 * @param {Record<string, any>} result
 * @returns {Finding[]} asynchronous checks without a verdict when the run ended
 */
function unjudged ({ checks = [] }) {
  const count = sumOf(checks, ({ unjudged = 0 }) => unjudged)
  if (count === 0) return []
  const judged = sumOf(checks, ({ unjudged = 0, passed, failed }) => unjudged > 0 ? passed + failed : 0)
  return [warning('unjudged-checks', { unjudged: count, judged })]
}

/**
 * @param {number} share of the values that are known, less than 1
 * @returns {number} the highest percentile that is known, with one digit more than it has nines
 */
function knownPercentile (share) {
  const digits = 10 ** Math.max(1, Math.ceil(-Math.log10(1 - share)) - 1)
  return Math.floor(share * 100 * digits) / digits
}

/**
 * The latency excludes a wait longer than the mean response only if the load generator itself caused it.
 * @param {Record<string, any>} result
 * @returns {number | null} the greatest delay of the load generator, ms; null if it is not the cause
 */
function lagOf ({ generator, latency, options = {} }) {
  return options.ignoreCoordinatedOmission || options.excludeErrorStats || !(generator?.lag?.max > latency.average)
    ? null
    : generator.lag.max
}

/** @param {Record<string, any>} result @returns {Finding[]} */
function bailout ({ bailedOut, options = {}, duration, skipped }) {
  if (!bailedOut) return []
  const seconds = duration + (skipped?.seconds ?? 0)
  const planned = options.amount !== undefined || !(options.duration > seconds) ? null : options.duration
  return [error('bailout', { seconds, planned, bailout: options.bailout ?? null })]
}

/** @param {Record<string, any>} result @returns {Finding[]} */
function undiciClient ({ client, requests }) {
  return client !== 'undici' || requests.total === 0 ? [] : [info('undici-client')]
}

/** @param {Record<string, any>} result @returns {Finding[]} times without a response */
function gaps (result) {
  const all = gapsOf(result)
  if (all.length === 0) return []
  const longest = Math.max(...all.map(({ longest }) => longest))
  const named = all.slice(0, MOST_GAPS).map(({ from, to }) => ({ from, to }))
  return [warning('gaps', { gaps: named, count: all.length, longest, closed: result.rate === undefined })]
}

/** @param {Record<string, any>} result @returns {Finding[]} the progress of a run that a signal or stop() ended */
function interruption ({ interrupted, duration: measured, requests, iterations, skipped, options = {} }) {
  if (!interrupted) return []
  const seconds = measured + (skipped?.seconds ?? 0)
  const facts = options.amount !== undefined
    ? {
        requests: isOfIterations(options.amount) ? iterations?.started ?? 0 : requests.sent + (skipped?.requests ?? 0),
        amount: options.amount
      }
    : { seconds, planned: options.duration > seconds ? options.duration : null }
  return [warning('interrupted', facts)]
}

module.exports = { bailout, gaps, interruption, lateConnections, silence, undiciClient, unfinished, unjudged, warmUp }
