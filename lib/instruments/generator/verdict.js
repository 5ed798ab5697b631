'use strict'

// The verdict on a generator in a span of time: whether it kept up. A function of facts of its thread;
// docs/measuring.md derives the bounds.

const { delayedOf, levelOfDelayed, takerOf } = require('./cpu-wait')

/** From best to worst. */
const VERDICTS = Object.freeze(/** @type {const} */ (['healthy', 'busy', 'starved', 'saturated']))

/** @typedef {typeof VERDICTS[number]} Verdict */

/**
 * Facts for a verdict.
 * @typedef {'core' | 'quota' | 'steal' | 'late' | 'collection' | 'blocked' | 'standstill' | 'server' | 'full' | 'load'}
 *   Reason
 *
 * @typedef {Readonly<{ verdict: Verdict | null, reason: Reason | null }>} Judged null: not known
 */

/** @type {Record<'short' | 'older', Judged>} why it is unknown: too little time, or raw results of older versions */
const UNKNOWN = {
  short: Object.freeze({ verdict: null, reason: null }),
  older: Object.freeze({ verdict: null, reason: null })
}

/** An event loop that is this busy has nothing left to give. */
const SATURATED = 0.95
/** Reasons of a starved generator that are a wait for the CPU. */
const CPU_WAITS = new Set(['core', 'quota', 'steal', 'late'])
/** From here on a part of the latency is that of the event loop itself. */
const BUSY = 0.85
/** A shorter time is busy with starting, ms: only CPU wait counts then. */
const LONG_ENOUGH = 500

/**
 * Where the lengths of waits are not known, as of older versions: the part of the time in which it wanted a core that
 * it waited for one.
 */
const STARVED = 0.25
const WAITED = { busy: 0.15, starved: STARVED }
/** Likewise of all the time: requests that come in it wait, which p99 shows first, then p95. */
const WAITING = { busy: 0.02, starved: 0.05 }
/** In a short run it has to be this long, ms: less may be chance. */
const WAITED_SHORT = 100
/** The part of late timers, where the system has no CPU wait. */
const LATE = { busy: 0.05, starved: 0.1 }
/** The part of the time that long turns of the event loop took, likewise. */
const BLOCKED = { busy: 0.01, starved: 0.05 }

/**
 * @param {import('../../record/usage').Usage} usage
 * @returns {{ cpu: number, eventLoop: number, runDelay: number | null, late: number, blocked: number, collection:
 *   number }} shares of the time in which the generator ran: `cpu` in all, the event loop without waits for the clock
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
 * @returns {Judged} of a short one only a CPU wait is known
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
  const { standstillMs = 0, wallMs, withServer = false } = usage
  if (usage.blockedMs === undefined) return UNKNOWN.older
  if (wallMs < LONG_ENOUGH) return standstillMs > 0 ? { verdict: 'busy', reason: 'standstill' } : UNKNOWN.short
  const shares = sharesOf(usage)
  const { eventLoop, blocked, collection } = shares
  const waiting = waitOf(usage, shares, latency)
  const long = collection > blocked / 2 ? 'collection' : 'blocked'
  if (waiting.level === 'starved') return { verdict: 'starved', reason: waiting.reason }
  // A server in the same thread is part of the measurement.
  if (withServer && (blocked >= BLOCKED.busy || eventLoop >= BUSY)) return { verdict: 'busy', reason: 'server' }
  if (eventLoop >= SATURATED) return { verdict: 'saturated', reason: 'full' }
  if (blocked >= BLOCKED.starved) return { verdict: 'starved', reason: long }
  if (standstillMs > 0) return { verdict: 'busy', reason: 'standstill' }
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
  // An event loop that has much to do is late by itself.
  return { level: eventLoop >= BUSY ? 'healthy' : levelOf(late, LATE), reason: 'late' }
}

/** @param {number} share @param {{ busy: number, starved: number }} bounds @returns {'healthy' | 'busy' | 'starved'} */
function levelOf (share, { busy, starved }) {
  return share >= starved ? 'starved' : share >= busy ? 'busy' : 'healthy'
}

/**
 * @param {Judged[]} judged
 * @returns {Judged} the worst: starved and saturated ones decide. Otherwise an unknown one of an older version may have
 *   been worse; one that ran for a moment only is ignored when others ran longer.
 */
function worstOf (judged) {
  const worst = judged.reduce((worst, one) => rankOf(one.verdict) > rankOf(worst.verdict) ? one : worst, UNKNOWN.short)
  return spoils(worst.verdict) || !judged.includes(UNKNOWN.older) ? worst : UNKNOWN.older
}

/** @param {Verdict | null} verdict @returns {boolean} whether the figures are those of the client */
function spoils (verdict) {
  return verdict === 'starved' || verdict === 'saturated'
}

/**
 * @param {Record<string, any> | undefined} generator of a result
 * @returns {Verdict | null} null for an older version, or another tool
 */
function verdictOf (generator) {
  return generator?.verdict ?? (generator?.saturated === true ? 'saturated' : null)
}

/**
 * @param {Record<string, any> | undefined} generator of a result
 * @returns {boolean} whether it waited for the CPU, rather than for code in its own thread
 */
function waitsForCpu (generator) {
  if (verdictOf(generator) !== 'starved') return false
  // The reason is the topic of its sentence; results of older versions and samples have none.
  return generator?.reason == null
    ? !(generator?.blockedMs > (generator?.runDelayMs ?? 0))
    : CPU_WAITS.has(generator.reason)
}

/** @typedef {'starved' | 'blocked' | 'saturated'} Trouble spoils the figures (words/load-generator.js) */

/**
 * @param {Record<string, any> | undefined} generator of a result
 * @returns {Trouble | null} null when its verdict spoils nothing
 */
function troubleOf (generator) {
  const verdict = verdictOf(generator)
  if (verdict === 'saturated') return 'saturated'
  if (verdict !== 'starved') return null
  return waitsForCpu(generator) ? 'starved' : 'blocked'
}

/** @param {Verdict | null} verdict @returns {number} -1 when it is not known */
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
