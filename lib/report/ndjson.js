'use strict'

// Owns the form of a run for those who follow it: a line of JSON for each point of its series, and a last one where that is not all.

const { toJson } = require('../foreign-text')

/**
 * @param {import('../figures/series').Point} point
 * @param {number} start of the run, ms since 1970
 * @returns {string} ends with a line break
 */
function lineOf ({ time, length, requests, bytes, target, connections, non2xx, failures, errors, errorCodes, resent, redirects, average, p50, p95, p99, max, cpu, eventLoopUtilization, runDelay, blocked, verdict, server }, start) {
  return toJson({
    // A partial result may have no start.
    timestamp: Number.isNaN(start) ? undefined : new Date(start + time + length).toISOString(),
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
    server
  }) + '\n'
}

/**
 * @param {number} count
 * @param {number} ms
 */
function perSecond (count, ms) {
  return ms > 0 ? Math.round(count / ms * 1e6) / 1000 : 0
}

/**
 * @param {Record<string, any>} result
 * @returns {string} what no point can tell of the rounds of users and of agents, which is known at the end: a line; empty without either
 */
function lastLineOf ({ finish, rounds, byScenario, redirects, retries, agents }) {
  if (rounds === undefined && agents === undefined) return ''
  const scenarios = byScenario && Object.fromEntries(Object.entries(byScenario).map(([name, one]) => [name, withoutHistograms(one)]))
  return toJson({ timestamp: isoOf(finish), rounds: rounds && withoutHistograms(rounds), byScenario: scenarios, redirects, retries, agents }) + '\n'
}

/**
 * @param {Date | string} [date] which a partial result may not have
 * @returns {string | undefined}
 */
function isoOf (date) {
  return date === undefined ? undefined : new Date(date).toISOString()
}

/** @param {Record<string, any>} rounds of a result */
function withoutHistograms (rounds) {
  return Object.fromEntries(Object.entries(rounds).map(([key, value]) => [key, value.histogram === undefined ? value : { ...value, histogram: undefined }]))
}

/** @param {Record<string, any>} result */
function toNdjson (result) {
  const { series = [], start } = result
  return series.map((/** @type {import('../figures/series').Point} */ point) => lineOf(point, +new Date(start))).join('') + lastLineOf(result)
}

module.exports = { lastLineOf, lineOf, toNdjson }
