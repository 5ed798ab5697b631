'use strict'

// The result. Every figure that is derived from counts is derived here, or by an instrument.

const { INSTRUMENTS } = require('../instruments')
const { traitsIn } = require('../protocols/protocol')
const { seriesSummary } = require('../record/samples')
const { countNon2xx } = require('../record/statuses')
const { rounded, statsOf, summaryOf } = require('./parts')
const { silenceOf } = require('./silence')
const { warmingUpOf } = require('./warming-up')
const { withoutUserinfo } = require('../core/secrets')
const { round } = require('../core/units')

/**
 * @typedef {object} Outcome of a run
 * @property {import('../record/totals').Totals} totals
 * @property {import('../record/samples').Samples} samples
 * @property {import('./series').Point[]} series
 * @property {number} elapsed ms, from the first connect to the end
 * @property {Date} start
 * @property {Date} finish
 * @property {number | null} targetRate requests per second; null for a closed loop
 * @property {ReadonlyArray<import('../shapes/stages').Stage> | null} [stages] of a load that changes over time
 * @property {import('../instruments').Users | null} [users] null without user scenarios
 * @property {import('../record/usage').Usage[]} usages of each generator
 * @property {boolean} [interrupted] whether a signal or stop() ended the run early
 * @property {import('../instruments').AgentOutcome[] | null} [agents] null if all load generators are on this machine
 */

/**
 * @typedef {object} Context from which an instrument derives its figures
 * @property {Outcome} outcome
 * @property {ReturnType<typeof identityOf>} identity
 * @property {number} seconds duration of the figures
 * @property {boolean} hasWireFigures whether bytes and connects are known
 * @property {(histogram: import('../record/histogram').Histogram) => Record<string, any>} summary with the configured
 *   percentiles
 * @property {(kind: import('./metric').PartKind, name: string) => Record<string, any>} ofPart the figures of
 *   instruments for a part of the run
 */

/**
 * Returns the part of a result that identifies the run.
 * @param {Record<string, any>} values of the options
 * @param {{ options?: Record<string, unknown>, environment?: Record<string, unknown> }} [origin] the options that
 *   repeat the run, and its machine
 */
function identityOf ({
  title, url, socketPath, http, client, dispatcher, connections, pipelining, workers, sampleInt, percentiles
}, origin = {}) {
  return {
    title,
    url: shownUrl(url),
    socketPath,
    ...dispatcher === undefined && { http },
    ...client !== undefined && client !== 'autocannon' && { client },
    connections,
    pipelining,
    workers,
    sampleInt,
    percentiles,
    ...origin
  }
}

/**
 * @param {ReturnType<typeof identityOf>} identity
 * @returns {boolean} whether the pauses of a recording set the request rate
 */
function hasPauses ({ options }) {
  return options?.harPauses === true
}

/**
 * @param {string[]} urls
 * @returns {string | string[]} without passwords, as results are stored and shared
 */
function shownUrl (urls) {
  const shown = urls.map(withoutUserinfo)
  return shown.length === 1 ? shown[0] : shown
}

/**
 * @param {ReturnType<typeof identityOf>} identity
 * @param {Outcome} outcome
 * @returns {Record<string, any>} without its verdicts (judge/judge.js); documented in docs/measuring.md and index.d.ts
 */
function buildResult (identity, outcome) {
  const {
    totals, samples, elapsed, start, finish, targetRate, stages = null, users = null, interrupted = false
  } = outcome
  // The resolution of the clock.
  const seconds = Math.max(elapsed, 0.001) / 1000
  const comparable = samples.comparable()
  /** @param {'requests' | 'bytes'} what */
  const perSecond = what =>
    comparable.filter(({ length }) => length > 0).map(sample => sample[what] / sample.length * 1000)
  const classes = [1, 2, 3, 4, 5].map(digit => countClass(totals.statuses, digit))
  const { sent, completed, timedOut, failed, abandoned } = totals
  const paced = targetRate !== null
  // Whether requests or iterations have due times.
  const timed = paced || (users?.rate ?? null) !== null
  const silence = silenceOf(totals, elapsed)
  const hasWireFigures = !traitsIn(identity).isOpaque
  // With a changing load, the first seconds differ anyway.
  const warmingUp = stages === null ? warmingUpOf(outcome.series, paced || users !== null || hasPauses(identity)) : null
  /** @param {import('../record/histogram').Histogram} histogram */
  const summary = histogram => summaryOf(histogram, identity.percentiles)
  /** @type {Context} */
  const context = {
    outcome, identity, seconds, hasWireFigures, summary, ofPart: (kind, name) => figuresOfPart(kind, name, context)
  }
  const measured = measuredIn(context)
  return {
    ...identity,
    samples: comparable.length,
    start,
    finish,
    duration: round(seconds),
    failures: totals.failures,
    unexpected: totals.unexpected,
    errors: totals.errors,
    timeouts: timedOut,
    mismatches: totals.mismatches,
    compared: totals.compared,
    resets: totals.resets,
    resent: totals.resent,
    ...totals.decodings > 0 && {
      decoded: { answers: totals.decodings, bytes: totals.decodedBytes, encoded: totals.encodedBytes }
    },
    ...measured.parts,
    non2xx: countNon2xx(totals.statuses),
    '1xx': classes[0],
    '2xx': classes[1],
    '3xx': classes[2],
    '4xx': classes[3],
    '5xx': classes[4],
    statusCodeStats: statsOf(totals.statuses),
    errorCodes: { ...totals.errorCodes },
    fates: { sent, completed, timedOut, failed, abandoned },
    unfinished: abandoned + totals.unsent,
    ...measured.times,
    ...totals.bailedOut && { bailedOut: true },
    ...totals.skipped !== null && {
      skipped: {
        seconds: round(totals.skipped.ms / 1000), requests: totals.skipped.requests, inFlight: totals.skipped.inFlight,
        resent: totals.skipped.resent ?? 0
      }
    },
    ...totals.streamLimit !== null && { streamLimit: totals.streamLimit },
    ...silence !== null && { silence },
    // A run with stages has its connections in the stages. The connections of a dispatcher are unknown.
    ...totals.connectingMs !== null && identity.options?.dispatcher === undefined && (timed || stages === null) &&
      { connecting: connectingOf(totals.connectingMs, totals, timed ? null : samples) },
    ...warmingUp !== null && { warmingUp },
    ...measured.end,
    ...measured.last,
    requests: { ...rounded(seriesSummary(perSecond('requests'), completed / seconds)), total: completed, sent },
    throughput: hasWireFigures
      ? { ...rounded(seriesSummary(perSecond('bytes'), totals.bytes / seconds)), total: totals.bytes }
      : null,
    series: hasWireFigures ? outcome.series : outcome.series.map(withoutBytes),
    interrupted
  }
}

/**
 * @param {Context} context
 * @returns {Record<import('../instruments').Place, Record<string, any>>} the figures of instruments, by place
 */
function measuredIn (context) {
  const { outcome } = context
  const measured = { parts: {}, times: {}, end: {}, last: {} }
  for (const [key, { place, hasResult, result }] of /** @type {Array<[any, any]>} */ (Object.entries(INSTRUMENTS))) {
    const total = outcome.totals.instruments[/** @type {import('../instruments').Key} */ (key)]
    if (hasResult === undefined ? total !== null : hasResult(outcome)) {
      Object.assign(measured[/** @type {'parts'} */ (place)], result().derive(total, context))
    }
  }
  return measured
}

/**
 * @param {import('./metric').PartKind} kind
 * @param {string} name
 * @param {Context} context
 * @returns {Record<string, any>} the figures of instruments for a part of the run
 */
function figuresOfPart (kind, name, context) {
  const { instruments } = context.outcome.totals
  return Object.assign({}, ...Object.entries(INSTRUMENTS).map(([key, one]) => {
    const total = instruments[/** @type {import('../instruments').Key} */ (key)] ?? null
    return total === null ? {} : /** @type {any} */ (one).result().ofPart?.(total, kind, name, context)
  }))
}

/**
 * Removes the bytes, which undici does not report.
 * @param {Record<string, any>} part of a run
 */
function withoutBytes (part) {
  return { ...part, bytes: null }
}

/**
 * @param {number} ms
 * @param {import('../record/totals').Totals} totals
 * @param {import('../record/samples').Samples | null} samples of a closed loop, which sends while others connect; null
 *   with a rate
 */
function connectingOf (ms, { skipped }, samples) {
  const rate = samples === null ? null : samples.rateFrom(ms - (skipped?.ms ?? 0))
  return { ms: round(ms), requestsPerSecond: rate === null ? null : round(rate) }
}

/** @param {Record<string, number>} statuses @param {number} digit */
function countClass (statuses, digit) {
  let count = 0
  for (const [status, n] of Object.entries(statuses)) {
    if (Math.floor(Number(status) / 100) === digit) count += n
  }
  return count
}

module.exports = { buildResult, identityOf, shownUrl }
