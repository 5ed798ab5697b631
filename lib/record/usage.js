'use strict'

// The usage of a generator's thread in a span of time, and the sum of two spans. instruments/generator/health.js judges
// it.

/**
 * The usage of a generator in a span of time. Raw results of older versions lack the optional keys.
 * @typedef {object} Usage
 * @property {number} cpuMs
 * @property {number} activeMs of the event loop
 * @property {number} [idleMs] the part of cpuMs and activeMs in turns of the event loop that only polled the clock
 * @property {number} gcMs
 * @property {number} wallMs time without stalls
 * @property {number} stalledMs time of stalls of a second or more
 * @property {number | null} [runDelayMs] CPU wait; null if the system does not report it
 * @property {{ ms: number, squares: number } | null} [waits] the waits in runDelayMs that are longer than a context
 *   switch: their sum, and the sum of their squares, ms²; null if the system does not report them
 * @property {number} [stolenMs] time in which the host gave its core to other guests, if known
 * @property {number} [throttledMs] time in which the quota of its control group was used up
 * @property {number} [blockedMs] time in which one turn blocked the event loop
 * @property {number} [lateMs] total time between ticks of the event loop timer that came late
 * @property {boolean} [withServer] whether the measured server runs in the same thread
 * @property {Lag} delay of the event loop, since the start
 */

/** @typedef {{ p50: number, p99: number, max: number }} Lag ms */

/** @param {Usage | undefined} before @param {Usage} after @returns {Usage} the sum of both spans */
function addUsage (before, after) {
  if (before === undefined) return after
  return {
    cpuMs: before.cpuMs + after.cpuMs,
    activeMs: before.activeMs + after.activeMs,
    idleMs: (before.idleMs ?? 0) + (after.idleMs ?? 0),
    gcMs: before.gcMs + after.gcMs,
    wallMs: before.wallMs + after.wallMs,
    stalledMs: before.stalledMs + after.stalledMs,
    runDelayMs: before.runDelayMs == null || after.runDelayMs == null ? null : before.runDelayMs + after.runDelayMs,
    ...bothOf(before, after),
    blockedMs: (before.blockedMs ?? 0) + (after.blockedMs ?? 0),
    lateMs: (before.lateMs ?? 0) + (after.lateMs ?? 0),
    ...(before.withServer || after.withServer) && { withServer: true },
    delay: after.delay
  }
}

/**
 * @param {Usage} before
 * @param {Usage} after
 * @returns {Pick<Usage, 'waits' | 'stolenMs' | 'throttledMs'>} without keys that both lack, such as in raw results of
 *   older versions
 */
function bothOf (before, after) {
  if (before.waits === undefined && after.waits === undefined) return {}
  const [one, other] = [before.waits, after.waits]
  return {
    waits: one == null || other == null ? null : { ms: one.ms + other.ms, squares: one.squares + other.squares },
    stolenMs: (before.stolenMs ?? 0) + (after.stolenMs ?? 0),
    throttledMs: (before.throttledMs ?? 0) + (after.throttledMs ?? 0)
  }
}

/** @param {Array<number | null | undefined>} waits CPU waits @returns {number | null} the longest known one */
function longestOf (waits) {
  return waits.reduce((/** @type {number | null} */ longest, wait) =>
    wait == null ? longest : Math.max(longest ?? 0, wait), null)
}

/** @param {import('./histogram').Histogram} histogram @returns {Lag} */
function lagOf (histogram) {
  return { p50: histogram.percentile(50), p99: histogram.percentile(99), max: histogram.percentile(100) }
}

module.exports = { addUsage, longestOf, lagOf }
