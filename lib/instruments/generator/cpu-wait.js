'use strict'

// Whether CPU wait may have changed a percentile, and what caused the wait. A function of the usage of a generator's
// thread (record/usage.js); docs/measuring.md derives the rule.
//
// A response that comes at any moment is delayed by more than x in D(x) = S·e^(−x/w) of all moments: S is the share of
// the time in which the thread waited for a core, and w how long it still waits at such a moment, on average. A
// percentile that a delay of a tenth of it reaches in as many moments as there are requests beyond the percentile may
// be that of the machine.

/** A delay of this part of a percentile changes it. */
const PART = 0.1
/** Delays in this share of moments may be p99, and in that share p95. */
const DELAYED = Object.freeze({ p99: 0.01, p95: 0.05 })
/** More than half of a wait is its cause. */
const MOST = 0.5
/** How long a hypervisor takes a core away, ms: an assumption, as no counter has it. */
const STOLEN_FOR = 5

/**
 * @typedef {import('../../record/usage').Usage} Usage
 * @typedef {{ p95: number, p99: number }} Latency ms
 * @typedef {'core' | 'quota' | 'steal'} Taker other processes, the quota of its own control group, or the host
 */

/** @param {Usage} usage @returns {{ share: number, ms: number } | null} S and w; null where the system does not tell */
function waitsOf ({ wallMs, waits, stolenMs = 0 }) {
  if (waits == null || !(wallMs > 0)) return null
  const all = waits.ms + stolenMs
  // Each ms of a wait of length l has l/2 of it ahead on average, so the mean over all moments is Σl² ÷ 2Σl.
  const ahead = waits.squares / 2 + stolenMs * STOLEN_FOR
  return { share: Math.min(1, all / wallMs), ms: all > 0 ? ahead / all : 0 }
}

/**
 * @param {{ share: number, ms: number }} waits
 * @param {number} x ms
 * @returns {number} the share of moments that are delayed by more than that
 */
function delayedBy ({ share, ms }, x) {
  return ms > 0 ? share * Math.exp(-x / ms) : 0
}

/**
 * @param {Usage} usage
 * @param {Latency | null} latency of the same time
 * @returns {{ p95: number, p99: number } | null} the share of moments delayed by more than a tenth of each; null when
 *   nothing is known
 */
function delayedOf (usage, latency) {
  const waits = waitsOf(usage)
  return waits === null || latency === null
    ? null
    : { p95: delayedBy(waits, PART * latency.p95), p99: delayedBy(waits, PART * latency.p99) }
}

/** @param {{ p95: number, p99: number }} delayed @returns {'healthy' | 'busy' | 'starved'} */
function levelOfDelayed ({ p95, p99 }) {
  return p95 >= DELAYED.p95 ? 'starved' : p99 >= DELAYED.p99 ? 'busy' : 'healthy'
}

/** @param {Usage} usage @returns {Taker} the main cause of the wait */
function takerOf ({ runDelayMs, throttledMs = 0, stolenMs = 0 }) {
  const all = (runDelayMs ?? 0) + stolenMs
  if (throttledMs > MOST * all) return 'quota'
  return stolenMs > MOST * all ? 'steal' : 'core'
}

module.exports = { DELAYED, PART, delayedBy, delayedOf, levelOfDelayed, takerOf, waitsOf }
