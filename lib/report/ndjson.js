'use strict'

// Owns the form of a run for those who follow it: a line of JSON for each point of its series.

const { toJson } = require('../foreign-text')

/**
 * @param {import('../figures/series').Point} point
 * @param {number} start of the run, ms since 1970
 * @returns {string} ends with a line break
 */
function lineOf ({ time, length, requests, bytes, target, connections, non2xx, failures, errors, errorCodes, average, p50, p95, p99, max, cpu, eventLoopUtilization, runDelay, blocked, verdict }, start) {
  return toJson({
    timestamp: new Date(start + time + length).toISOString(),
    time,
    length,
    rps: perSecond(requests, length),
    bytesPerSecond: perSecond(bytes, length),
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
    cpu,
    eventLoopUtilization,
    runDelay,
    blocked,
    verdict
  }) + '\n'
}

/**
 * @param {number} count
 * @param {number} ms
 */
function perSecond (count, ms) {
  return ms > 0 ? Math.round(count / ms * 1e6) / 1000 : 0
}

/** @param {Record<string, any>} result */
function toNdjson ({ series = [], start }) {
  return series.map((/** @type {import('../figures/series').Point} */ point) => lineOf(point, +new Date(start))).join('')
}

module.exports = { lineOf, toNdjson }
