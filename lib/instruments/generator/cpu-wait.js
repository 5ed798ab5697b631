'use strict'

// Whether CPU wait may have changed a percentile, and what caused the wait. docs/measuring.md derives the rule.
//
// A response that arrives at a random moment is delayed by more than x with the probability D(x) = S·e^(−x/w). S is the
// share of the time in which the thread waited for a core, and w how long it continues to wait at such a moment, on
// average. A percentile may be that of the machine if a delay of a tenth of it is as frequent as requests beyond the
// percentile.

/** A delay of this share of a percentile changes it. */
const PART = 0.1
/** Delays with these probabilities may determine p99 and p95. */
const DELAYED = Object.freeze({ p99: 0.01, p95: 0.05 })
/** A cause of more than this share of the wait is its main cause. */
const MOST = 0.5
/** How long a hypervisor takes a core away at a time, ms: an assumption, as no counter reports it. */
const STOLEN_FOR = 5

/**
 * @typedef {import('../../record/usage').Usage} Usage
 * @typedef {{ p95: number, p99: number }} Latency ms
 * @typedef {'core' | 'quota' | 'steal'} Taker the cause of a wait: other processes, the quota of the control group, or
 *   other machines of the host
 */

/** @param {Usage} usage @returns {{ share: number, ms: number } | null} S and w; null if the system reports neither */
function waitsOf ({ wallMs, waits, stolenMs = 0 }) {
  if (waits == null || !(wallMs > 0)) return null
  const all = waits.ms + stolenMs
  // At a random moment in a wait of length l, l/2 is still ahead on average. Over all waits that is Σl² ÷ 2Σl.
  const ahead = waits.squares / 2 + stolenMs * STOLEN_FOR
  return { share: Math.min(1, all / wallMs), ms: all > 0 ? ahead / all : 0 }
}

/**
 * @param {{ share: number, ms: number }} waits
 * @param {number} x ms
 * @returns {number} the probability of a longer delay
 */
function delayedBy ({ share, ms }, x) {
  return ms > 0 ? share * Math.exp(-x / ms) : 0
}

/**
 * @param {Usage} usage
 * @param {Latency | null} latency of the same time
 * @returns {{ p95: number, p99: number } | null} the probability of a delay by more than a tenth of each; null if
 *   unknown
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
