'use strict'

// Owns the result: every figure that is derived from what was counted is derived here, and nowhere else.

const { seriesSummary } = require('./samples')

/**
 * @typedef {object} Outcome what a run left behind
 * @property {import('./totals').Totals} totals
 * @property {import('./samples').Samples} samples
 * @property {number} elapsed ms, from the first connect to the end
 * @property {Date} start
 * @property {Date} finish
 */

/**
 * What a result says of the run that it comes from.
 * @param {import('../options/normalize').Values} values
 */
function identityOf ({ title, url, socketPath, connections, pipelining, workers, sampleInt }) {
  return { title, url: url.length === 1 ? url[0] : url, socketPath, connections, pipelining, workers, sampleInt }
}

/**
 * @param {ReturnType<typeof identityOf>} identity
 * @param {Outcome} outcome
 * @returns {Record<string, any>} documented in docs/measuring.md and in index.d.ts
 */
function buildResult (identity, { totals, samples, elapsed, start, finish }) {
  // The clock can't tell less apart.
  const seconds = Math.max(elapsed, 0.001) / 1000
  const comparable = samples.comparable()
  /** @param {'requests' | 'bytes'} what */
  const perSecond = what => comparable.filter(({ length }) => length > 0).map(sample => sample[what] / sample.length * 1000)
  const classes = [1, 2, 3, 4, 5].map(digit => countClass(totals.statuses, digit))
  const { sent, completed, timedOut, failed, abandoned } = totals
  return {
    ...identity,
    samples: comparable.length,
    start,
    finish,
    duration: round(seconds),
    errors: timedOut + failed + totals.neverSent,
    timeouts: timedOut,
    mismatches: totals.mismatches,
    resets: totals.resets,
    non2xx: completed - classes[1],
    '1xx': classes[0],
    '2xx': classes[1],
    '3xx': classes[2],
    '4xx': classes[3],
    '5xx': classes[4],
    statusCodeStats: Object.fromEntries(Object.entries(totals.statuses).map(([status, count]) => [status, { count }])),
    errorCodes: { ...totals.errorCodes },
    fates: { sent, completed, timedOut, failed, abandoned },
    latency: rounded(totals.latency.summary()),
    requests: { ...rounded(seriesSummary(perSecond('requests'), completed / seconds)), total: completed, sent },
    throughput: { ...rounded(seriesSummary(perSecond('bytes'), totals.bytes / seconds)), total: totals.bytes }
  }
}

/**
 * @param {Record<string, number>} statuses
 * @param {number} digit
 */
function countClass (statuses, digit) {
  let count = 0
  for (const [status, n] of Object.entries(statuses)) {
    if (Math.floor(Number(status) / 100) === digit) count += n
  }
  return count
}

/**
 * Three decimals are the µs of a latency in ms, and more than any other figure has.
 * @param {number} value
 */
function round (value) {
  return Math.round(value * 1000) / 1000
}

/**
 * @template {Record<string, number>} T
 * @param {T} summary
 * @returns {T}
 */
function rounded (summary) {
  return /** @type {T} */ (Object.fromEntries(Object.entries(summary).map(([key, value]) => [key, round(value)])))
}

module.exports = { buildResult, identityOf }
