'use strict'

// Owns the verdict on a generator in a span of time: whether it could do what it should when it should. A function of facts of its
// thread; where the bounds come from stands in docs/measuring.md.

/** From best to worst. */
const VERDICTS = Object.freeze(/** @type {const} */ (['healthy', 'busy', 'starved', 'saturated']))

/** @typedef {typeof VERDICTS[number]} Verdict */

/**
 * What a verdict is about.
 * @typedef {'core' | 'late' | 'collection' | 'blocked' | 'standstill' | 'server' | 'full' | 'load'} Reason
 *
 * @typedef {{ verdict: Verdict, reason: Reason | null }} Judged
 */

/** An event loop that is this busy has nothing left to give. */
const SATURATED = 0.95
/** From here on a part of the latency is that of the event loop itself. */
const BUSY = 0.85
/** A shorter time is busy with starting, ms. */
const LONG_ENOUGH = 500

/** The part of the time in which it wanted a core that it waited for one. */
const STARVED = 0.25
const WAITED = { busy: 0.15, starved: STARVED }
/** And the part of all the time: what comes in it waits, which p99 shows, then p95. */
const WAITING = { busy: 0.02, starved: 0.05 }
/** The part of timers that came late, where the system does not tell the waits. */
const LATE = { busy: 0.05, starved: 0.1 }
/** The part of the time that long turns of the event loop took, likewise. */
const BLOCKED = { busy: 0.01, starved: 0.05 }

/**
 * @param {import('./generator-health').Load} load
 * @returns {{ cpu: number, eventLoop: number, runDelay: number | null, late: number, blocked: number, collection: number }} shares of the
 *   time in which the generator ran; of `cpu` all that it used, of the event loop what was more than waiting for the clock
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
 * @param {import('./generator-health').Load} load
 * @returns {Judged}
 */
function judgeLoad (load) {
  const { standstillMs = 0, wallMs, withServer = false } = load
  if (wallMs < LONG_ENOUGH) return standstillMs > 0 ? { verdict: 'busy', reason: 'standstill' } : { verdict: 'healthy', reason: null }
  const shares = sharesOf(load)
  const { eventLoop, blocked, collection } = shares
  const waiting = waitOf(shares)
  const long = collection > blocked / 2 ? 'collection' : 'blocked'
  if (waiting.level === 'starved') return { verdict: 'starved', reason: waiting.reason }
  // What a server in the same thread does belongs to what is measured.
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
 * @param {ReturnType<typeof sharesOf>} shares
 * @returns {{ level: 'healthy' | 'busy' | 'starved', reason: Reason }}
 */
function waitOf ({ cpu, eventLoop, runDelay, late }) {
  if (runDelay !== null) {
    const [wanted, all] = [levelOf(runDelay / (runDelay + cpu), WAITED), levelOf(runDelay, WAITING)]
    return { level: rankOf(wanted) < rankOf(all) ? wanted : all, reason: 'core' }
  }
  // An event loop that has much to do is late by itself.
  return { level: eventLoop >= BUSY ? 'healthy' : levelOf(late, LATE), reason: 'late' }
}

/**
 * @param {number} share
 * @param {{ busy: number, starved: number }} bounds
 * @returns {'healthy' | 'busy' | 'starved'}
 */
function levelOf (share, { busy, starved }) {
  return share >= starved ? 'starved' : share >= busy ? 'busy' : 'healthy'
}

/**
 * @param {Judged[]} judged at least one
 * @returns {Judged} the worst
 */
function worstOf (judged) {
  return judged.reduce((worst, one) => rankOf(one.verdict) > rankOf(worst.verdict) ? one : worst, { verdict: /** @type {Verdict} */ ('healthy'), reason: /** @type {Reason | null} */ (null) })
}

/** @param {Verdict} verdict */
function rankOf (verdict) {
  return VERDICTS.indexOf(verdict)
}

module.exports = { VERDICTS, LONG_ENOUGH, SATURATED, STARVED, sharesOf, judgeLoad, worstOf, rankOf }
