'use strict'

// The verdict on a load generator over some time: whether it kept up. docs/measuring.md derives the bounds.

const { delayedOf, levelOfDelayed, takerOf } = require('./cpu-wait')

/** From best to worst. */
const VERDICTS = Object.freeze(/** @type {const} */ (['healthy', 'busy', 'starved', 'saturated']))

/** @typedef {typeof VERDICTS[number]} Verdict */

/**
 * The cause of a verdict.
 * @typedef {'core' | 'quota' | 'steal' | 'late' | 'collection' | 'blocked' | 'stall' | 'server' | 'full' | 'load'}
 *   Reason
 *
 * @typedef {Readonly<{ verdict: Verdict | null, reason: Reason | null }>} Judged null if unknown
 */

/** @type {Record<'short' | 'older', Judged>} unknown verdicts: of too short a time, and of older versions */
const UNKNOWN = {
  short: Object.freeze({ verdict: null, reason: null }),
  older: Object.freeze({ verdict: null, reason: null })
}

/** From this utilization on, the event loop is saturated. */
const SATURATED = 0.95
/** Causes that are a wait for the CPU. */
const CPU_WAITS = new Set(['core', 'quota', 'steal', 'late'])
/** From this utilization on, the event loop adds to the latency. */
const BUSY = 0.85
/** A shorter time consists mostly of the start, ms: only CPU wait counts then. */
const LONG_ENOUGH = 500

/** If the lengths of waits are unknown, as in older versions: CPU wait as a share of CPU wait and CPU time. */
const STARVED = 0.25
const WAITED = { busy: 0.15, starved: STARVED }
/** Likewise as a share of the whole time. Responses in a wait are delayed, which affects p99 first, then p95. */
const WAITING = { busy: 0.02, starved: 0.05 }
/** The least CPU wait that counts in a short run, ms: less may be chance. */
const WAITED_SHORT = 100
/** The share of late timers, if the system does not report CPU wait. */
const LATE = { busy: 0.05, starved: 0.1 }
/** The share of the time in long turns of the event loop. */
const BLOCKED = { busy: 0.01, starved: 0.05 }

/**
 * @param {import('../../record/usage').Usage} usage
 * @returns {{ cpu: number, eventLoop: number, runDelay: number | null, late: number, blocked: number, collection:
 *   number }} shares of the time; `eventLoop` without busy polling of the clock
 */
function sharesOf ({ cpuMs, activeMs, idleMs = 0, runDelayMs = null, lateMs = 0, blockedMs = 0, gcMs, wallMs }) {
  /** @param {number} ms */
  const share = ms => wallMs > 0 ? Math.min(1, Math.max(0, ms) / wallMs) : 0
  return {
    cpu: wallMs > 0 ? cpuMs / wallMs : 0,
    eventLoop: share(activeMs - idleMs),
    runDelay: runDelayMs === null ? null : share(runDelayMs),
    late: share(lateMs),
    blocked: share(blockedMs),
    collection: share(gcMs)
  }
}

/**
 * @param {import('../../record/usage').Usage} usage of a whole run
 * @param {import('./cpu-wait').Latency | null} [latency] of its responses
 * @returns {Judged} of a short run, only by CPU wait
 */
function judgeRun (usage, latency = null) {
  const { wallMs, runDelayMs } = usage
  const waited = wallMs < LONG_ENOUGH && runDelayMs != null && runDelayMs >= WAITED_SHORT &&
    waitOf(usage, sharesOf(usage), latency).level === 'starved'
  return waited ? { verdict: 'starved', reason: takerOf(usage) } : judgeUsage(usage, latency)
}

/**
 * @param {import('../../record/usage').Usage} usage
 * @param {import('./cpu-wait').Latency | null} [latency] of the responses of the same time
 * @returns {Judged}
 */
function judgeUsage (usage, latency = null) {
  const { stalledMs = 0, wallMs, withServer = false } = usage
  if (usage.blockedMs === undefined) return UNKNOWN.older
  if (wallMs < LONG_ENOUGH) return stalledMs > 0 ? { verdict: 'busy', reason: 'stall' } : UNKNOWN.short
  const shares = sharesOf(usage)
  const { eventLoop, blocked, collection } = shares
  const waiting = waitOf(usage, shares, latency)
  const long = collection > blocked / 2 ? 'collection' : 'blocked'
  if (waiting.level === 'starved') return { verdict: 'starved', reason: waiting.reason }
  // A server in the same thread is part of the measurement.
  if (withServer && (blocked >= BLOCKED.busy || eventLoop >= BUSY)) return { verdict: 'busy', reason: 'server' }
  if (eventLoop >= SATURATED) return { verdict: 'saturated', reason: 'full' }
  if (blocked >= BLOCKED.starved) return { verdict: 'starved', reason: long }
  if (stalledMs > 0) return { verdict: 'busy', reason: 'stall' }
  if (waiting.level === 'busy') return { verdict: 'busy', reason: waiting.reason }
  if (blocked >= BLOCKED.busy) return { verdict: 'busy', reason: long }
  if (eventLoop >= BUSY) return { verdict: 'busy', reason: 'load' }
  return { verdict: 'healthy', reason: null }
}

/**
 * @param {import('../../record/usage').Usage} usage
 * @param {ReturnType<typeof sharesOf>} shares
 * @param {import('./cpu-wait').Latency | null} latency
 * @returns {{ level: 'healthy' | 'busy' | 'starved', reason: Reason }}
 */
function waitOf (usage, { cpu, eventLoop, runDelay, late }, latency) {
  const delayed = delayedOf(usage, latency)
  if (delayed !== null) return { level: levelOfDelayed(delayed), reason: takerOf(usage) }
  if (runDelay !== null) {
    const [wanted, all] = [levelOf(runDelay / (runDelay + cpu), WAITED), levelOf(runDelay, WAITING)]
    return { level: rankOf(wanted) < rankOf(all) ? wanted : all, reason: takerOf(usage) }
  }
  // Timers of a busy event loop are late without CPU wait.
  return { level: eventLoop >= BUSY ? 'healthy' : levelOf(late, LATE), reason: 'late' }
}

/** @param {number} share @param {{ busy: number, starved: number }} bounds @returns {'healthy' | 'busy' | 'starved'} */
function levelOf (share, { busy, starved }) {
  return share >= starved ? 'starved' : share >= busy ? 'busy' : 'healthy'
}

/**
 * @param {Judged[]} judged
 * @returns {Judged} the worst. An unknown one of an older version may have been worse than a busy one; an unknown one
 *   of a short time is ignored
 */
function worstOf (judged) {
  const worst = judged.reduce((worst, one) => rankOf(one.verdict) > rankOf(worst.verdict) ? one : worst, UNKNOWN.short)
  return spoils(worst.verdict) || !judged.includes(UNKNOWN.older) ? worst : UNKNOWN.older
}

/** @param {Verdict | null} verdict @returns {boolean} whether the figures show the load generator, not the server */
function spoils (verdict) {
  return verdict === 'starved' || verdict === 'saturated'
}

/**
 * @param {Record<string, any> | undefined} generator of a result
 * @returns {Verdict | null} null in results of older versions and other tools
 */
function verdictOf (generator) {
  return generator?.verdict ?? (generator?.saturated === true ? 'saturated' : null)
}

/**
 * @param {Record<string, any> | undefined} generator of a result
 * @returns {boolean} whether it was starved by a wait for the CPU, and not by code in its own thread
 */
function waitsForCpu (generator) {
  if (verdictOf(generator) !== 'starved') return false
  // Results of older versions have no reason.
  return generator?.reason == null
    ? !(generator?.blockedMs > (generator?.runDelayMs ?? 0))
    : CPU_WAITS.has(generator.reason)
}

/** @typedef {'starved' | 'blocked' | 'saturated'} Trouble spoils the figures (words/load-generator.js) */

/**
 * @param {Record<string, any> | undefined} generator of a result
 * @returns {Trouble | null} null if its figures are valid
 */
function troubleOf (generator) {
  const verdict = verdictOf(generator)
  if (verdict === 'saturated') return 'saturated'
  if (verdict !== 'starved') return null
  return waitsForCpu(generator) ? 'starved' : 'blocked'
}

/** @param {Verdict | null} verdict @returns {number} higher for worse; -1 if unknown */
function rankOf (verdict) {
  return verdict === null ? -1 : VERDICTS.indexOf(verdict)
}

const METRICS = {
  rows: { generator: { unit: 'verdict', words: VERDICTS, noAbortOn: 'the generator: it is judged over the whole run' } }
}

module.exports = {
  METRICS,
  VERDICTS, LONG_ENOUGH, SATURATED, STARVED, sharesOf, judgeRun, judgeUsage, worstOf, spoils, rankOf,
  troubleOf, verdictOf, waitsForCpu
}
