'use strict'

// The usage of a generator's thread in a span of time, and the sum of two spans. instruments/generator/health.js judges
// it.

/**
 * The usage of a generator in a span of time. Raw results of older versions lack the optional keys.
 * @typedef {object} Usage
 * @property {number} cpuMs
 * @property {number} activeMs of the event loop
 * @property {number} [idleMs] how much of cpuMs and activeMs went into turns of the event loop that only waited for the
 *   clock
 * @property {number} gcMs
 * @property {number} wallMs in which it ran
 * @property {number} stalledMs in which it did not run, for a second or more at a time
 * @property {number | null} [runDelayMs] CPU wait; null where the system has no figures
 * @property {{ ms: number, squares: number } | null} [waits] the waits in runDelayMs that are longer than a context
 *   switch: their sum, and that of their squares, ms²; null where the system has no figures
 * @property {number} [stolenMs] in which the host had given its core to others, as far as that is known
 * @property {number} [throttledMs] for which the quota of its control group was used up
 * @property {number} [blockedMs] in which one turn of the event loop kept all others waiting
 * @property {number} [lateMs] of the time between two looks at the event loop, of those that came late
 * @property {boolean} [withServer] whether the server that is measured runs in the same thread
 * @property {Lag} delay of the event loop, since the start
 */

/** @typedef {{ p50: number, p99: number, max: number }} Lag ms */

/** @param {Usage | undefined} before @param {Usage} after @returns {Usage} both spans together */
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
 * @returns {Pick<Usage, 'waits' | 'stolenMs' | 'throttledMs'>} without keys that neither has, as in raw results of
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

/**
 * @param {Array<number | null | undefined>} waits for a core
 * @returns {number | null} the longest of those that are known
 */
function longestOf (waits) {
  return waits.reduce((/** @type {number | null} */ longest, wait) =>
    wait == null ? longest : Math.max(longest ?? 0, wait), null)
}

/** @param {import('./histogram').Histogram} histogram @returns {Lag} */
function lagOf (histogram) {
  return { p50: histogram.percentile(50), p99: histogram.percentile(99), max: histogram.percentile(100) }
}

module.exports = { addUsage, longestOf, lagOf }
