'use strict'

// The result as NDJSON, for programs that follow a run: a line for each point of the series, and a last line with the
// rest.

const { isRecord, toJson } = require('../../core/foreign-text')
const { lifted } = require('../../figures/lifted')
const { isMoment } = require('../partial')

/**
 * @param {import('../../figures/series').Point} point
 * @param {number} start of the run, ms since 1970
 * @returns {string} ends with a line break
 */
function lineOf ({
  time, length, requests, bytes, target, connections, non2xx, failures, errors, errorCodes, resent, redirects, average,
  p50, p95, p99, max, readLate, cpu, eventLoopUtilization, runDelay, blocked, verdict, server, streams
}, start) {
  return toJson({
    // A partial result may have no start.
    timestamp: isoOf(start + time + length),
    time,
    length,
    rps: perSecond(requests, length),
    bytesPerSecond: bytes === null ? null : perSecond(bytes, length),
    requests,
    bytes,
    target,
    connections,
    average,
    p50,
    p95,
    p99,
    max,
    readLate,
    non2xx,
    failures,
    errors,
    errorCodes,
    resent,
    redirects,
    cpu,
    eventLoopUtilization,
    runDelay,
    blocked,
    verdict,
    server,
    streams: streams && {
      eventsPerSecond: perSecond(streams.events, length),
      ...streams.tokens !== undefined && { tokensPerSecond: perSecond(streams.tokens, length) },
      ...streams
    }
  }) + '\n'
}

/** @param {number} count @param {number} ms */
function perSecond (count, ms) {
  return ms > 0 ? Math.round(count / ms * 1e6) / 1000 : 0
}

/**
 * @param {Record<string, any>} result
 * @returns {string} the iterations of users and the agents, known at the end only: a line; empty without either
 */
function lastLineOf ({ finish, iterations, byScenario, redirects, retries, agents }) {
  if (iterations === undefined && agents === undefined) return ''
  const scenarios = isRecord(byScenario)
    ? Object.fromEntries(Object.entries(byScenario).map(([name, one]) => [name, withoutHistograms(one)]))
    : byScenario
  const timestamp = isoOf(finish)
  return toJson({
    timestamp, iterations: withoutHistograms(iterations), byScenario: scenarios, redirects, retries, agents
  }) + '\n'
}

/** @param {Date | string | number} [date] which a partial result may not have */
function isoOf (date) {
  return isMoment(date) ? new Date(/** @type {string} */ (date)).toISOString() : undefined
}

/** @param {unknown} iterations of a result @returns {unknown} */
function withoutHistograms (iterations) {
  if (!isRecord(iterations)) return iterations
  return Object.fromEntries(Object.entries(iterations).map(([key, value]) =>
    [key, key === 'histogram' ? undefined : withoutHistograms(value)]))
}

/** @param {Record<string, any>} result */
function toNdjson (result) {
  const { series, start } = result
  const points = Array.isArray(series) ? series.filter(isRecord) : []
  const startedAt = isMoment(start) ? +new Date(start) : NaN
  return points.map(point => lineOf(/** @type {any} */ (point), startedAt)).join('') + lastLineOf(lifted(result))
}

/** @type {Required<Omit<import('./format').Format, 'failure'>>} */
const FORMAT = { write: toNdjson, line: lineOf, last: lastLineOf }

module.exports = { FORMAT, lineOf, toNdjson }
