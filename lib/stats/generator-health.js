'use strict'

// Owns the verdict on the generators themselves: whether what was measured is the server or the client.

/** An event loop that is this busy has nothing left to give. */
const SATURATED = 0.95
/** A shorter run is busy with starting, ms. */
const LONG_ENOUGH = 500

/**
 * What a generator used in a span of time. What may be left out is not in raw results of older versions.
 * @typedef {object} Load
 * @property {number} cpuMs
 * @property {number} activeMs of the event loop
 * @property {number} [idleMs] how much of cpuMs and activeMs went into turns of the event loop that only waited for the clock
 * @property {number} gcMs
 * @property {number} wallMs in which it ran
 * @property {number} standstillMs in which it did not run, for a second or more at a time
 * @property {number | null} [runDelayMs] in which it was ready to run and waited for a core; null where the system does not tell
 * @property {number} [blockedMs] in which one turn of the event loop kept all others waiting
 * @property {Lag} delay of the event loop, since the start
 */

/** @typedef {{ p50: number, p99: number, max: number }} Lag ms */

/**
 * @typedef {object} GeneratorHealth
 * @property {number} cpu the busiest generator's share of a core, 0 to 1
 * @property {number} cpuTotal of all generators, in cores
 * @property {number} eventLoopUtilization the busiest generator's, 0 to 1
 * @property {Lag} lag ms, the worst of all generators
 * @property {number} gcMs of all generators
 * @property {number} standstillMs the longest that a generator stood still in all: it was stopped, got no core, or was blocked
 * @property {boolean} saturated whether the generator was the limit
 */

/**
 * @param {Load[]} loads one of each generator, over the same time
 * @param {Lag} [lag] of the requests, when they had times to keep; the event loop's when left out
 * @returns {GeneratorHealth}
 */
function healthOf (loads, lag) {
  const shares = loads.map(({ cpuMs, wallMs }) => wallMs > 0 ? cpuMs / wallMs : 0)
  const utilizations = loads.map(({ activeMs, wallMs }) => wallMs > 0 ? Math.min(1, activeMs / wallMs) : 0)
  const worst = (/** @type {keyof Lag} */ key) => Math.max(0, ...loads.map(({ delay }) => delay[key]))
  return {
    cpu: Math.max(0, ...shares),
    cpuTotal: shares.reduce((total, share) => total + share, 0),
    eventLoopUtilization: Math.max(0, ...utilizations),
    lag: lag ?? { p50: worst('p50'), p99: worst('p99'), max: worst('max') },
    gcMs: loads.reduce((total, { gcMs }) => total + gcMs, 0),
    // Raw results of older versions have none.
    standstillMs: Math.max(0, ...loads.map(({ standstillMs = 0 }) => standstillMs)),
    saturated: loads.some(({ wallMs }, i) => wallMs >= LONG_ENOUGH && utilizations[i] >= SATURATED)
  }
}

/**
 * @param {Load | undefined} before
 * @param {Load} after
 * @returns {Load} both spans together
 */
function addLoad (before, after) {
  if (before === undefined) return after
  return {
    cpuMs: before.cpuMs + after.cpuMs,
    activeMs: before.activeMs + after.activeMs,
    idleMs: (before.idleMs ?? 0) + (after.idleMs ?? 0),
    gcMs: before.gcMs + after.gcMs,
    wallMs: before.wallMs + after.wallMs,
    standstillMs: before.standstillMs + after.standstillMs,
    runDelayMs: before.runDelayMs == null || after.runDelayMs == null ? null : before.runDelayMs + after.runDelayMs,
    blockedMs: (before.blockedMs ?? 0) + (after.blockedMs ?? 0),
    delay: after.delay
  }
}

module.exports = { healthOf, addLoad }
