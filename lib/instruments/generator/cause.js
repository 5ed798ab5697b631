'use strict'

// The verdict on the load generators over a whole run, with its reason, its time and its facts.

const { sumOf } = require('../../core/statistics')
const { WORKERS, causeWords } = require('../../words/load-generator')
const { takerOf } = require('./cpu-wait')
const { LONG_ENOUGH, STARVED, judgeRun, sharesOf, spoils, worstOf } = require('./verdict')

/** A worse part of the run decides its verdict from this share on, as it may determine p95. */
const DECIDES = 0.05
/** A worse part of the run is named from this share on, as it may determine p99. */
const NAMED = 0.01
/** A worse part counts as the whole run from this share on. */
const ALL = 0.9
/** From this share of its time on, a load generator has no time left. */
const FULL = 0.9
/** Times with a shorter gap between them are joined, ms. */
const BETWEEN = 1000

/**
 * @typedef {import('../../record/usage').Usage} Usage
 * @typedef {import('./verdict').Verdict} Verdict
 * @typedef {import('./verdict').Reason} Reason
 *
 * @typedef {object} Facts
 * @property {number} cpu share of a core
 * @property {number} eventLoop share of the time, as the following are
 * @property {number | null} runDelay
 * @property {number} blocked
 * @property {number} stalledMs
 * @property {string} more the advice: `--workers`, or `more agents`
 * @property {boolean} [byArrival] see Circumstances
 * @property {boolean} [hasHooks] see Circumstances
 * @property {boolean} [sentLate] see Circumstances
 * @property {boolean} [rateKept] see Circumstances
 * @property {boolean} [hasTarget] see Circumstances
 */

/**
 * @typedef {object} Circumstances facts that a sentence on the load generator depends on
 * @property {boolean} [byArrival] whether latencies end when the kernel receives the response, and not when a busy
 *   process reads it
 * @property {boolean} [hasHooks] whether hooks may take CPU time
 * @property {import('./cpu-wait').Latency | null} [latency] of the responses
 * @property {boolean} [sentLate] whether enough requests were sent late to change p99
 * @property {boolean} [rateKept] whether all due requests were sent, or all due iterations started
 * @property {boolean} [hasTarget] false for a closed loop
 */

/**
 * @param {Usage[]} usages of each load generator, over the whole run
 * @param {import('../../figures/series').Point[]} series
 * @param {string} more the advice
 * @param {Circumstances} circumstances
 * @returns {{ verdict: Verdict | null, reason: Reason | null, cause: string | null,
 *   why: import('../../words/load-generator').Why | null }} `cause`: the sentence; `why`: the same as data
 */
function causeOf (usages, series, more, circumstances) {
  const judged = usages.map(usage => judgeRun(usage, circumstances.latency))
  const worst = worstOf(judged)
  const { verdict, reason } = worst
  const usage = usages[judged.indexOf(worst)]
  const part = worsePart(series, more)
  if (part !== null && part.share < ALL && part.share >= NAMED) {
    const decides = part.share >= DECIDES || spoils(verdict)
    const why = narrowed(part.reason, usages)
    return explained(decides ? part.verdict : verdict && 'busy', {
      reason: why, when: part.when, facts: { ...part.facts, ...circumstances }
    })
  }
  if (reason === null) return { verdict, reason, cause: null, why: null }
  const facts = { ...sharesOf(usage), stalledMs: usage.stalledMs, more, ...circumstances }
  return explained(verdict, { reason, isWeak: verdict === 'busy', facts })
}

/** @param {Verdict | null} verdict @param {import('../../words/load-generator').Why} why */
function explained (verdict, why) {
  return { verdict, reason: why.reason, cause: causeWords(why), why }
}

/**
 * Points of the series have no cause, so that of the whole run is assumed.
 * @param {Reason} reason of a part of a run
 * @param {Usage[]} usages
 * @returns {Reason}
 */
function narrowed (reason, usages) {
  if (reason === 'blocked') {
    return usages.some(({ gcMs, blockedMs = 0 }) => gcMs > blockedMs / 2) ? 'collection' : reason
  }
  return reason === 'core' ? usages.map(takerOf).find(taker => taker !== 'core') ?? reason : reason
}

/**
 * @param {import('../../figures/series').Point[]} series
 * @param {string} [more] the advice
 * @returns {{ share: number, verdict: Verdict, reason: Reason, facts: Facts, when:
 *   import('../../words/load-generator').When } | null} the time in which a generator was starved, or saturated,
 *   whichever was longer; null if it was too short
 */
function worsePart (series, more = WORKERS) {
  const [starved, saturated] = ['starved', 'saturated'].map(verdict =>
    series.filter(point => point.verdict === verdict))
  const points = lengthOf(saturated) > lengthOf(starved) ? saturated : starved
  const length = lengthOf(points)
  if (length < LONG_ENOUGH) return null
  /** @param {'cpu' | 'eventLoopUtilization' | 'runDelay' | 'blocked'} key */
  const mean = key => sumOf(points, point => (point[key] ?? 0) * point.length) / length
  const facts = {
    cpu: mean('cpu'),
    eventLoop: mean('eventLoopUtilization'),
    runDelay: points.some(({ runDelay }) => runDelay === null) ? null : mean('runDelay'),
    blocked: mean('blocked'),
    stalledMs: 0,
    more
  }
  const all = lengthOf(series)
  const times = timesOf(points)
  return {
    share: length / all,
    verdict: points === saturated ? 'saturated' : 'starved',
    reason: points === saturated ? 'full' : reasonOf(facts),
    facts,
    when: { ms: length, of: all, times }
  }
}

/**
 * @param {import('../../figures/series').Point[]} points of a part of a run
 * @param {Circumstances} [circumstances]
 * @returns {{ verdict: Verdict | null, cause: string | null }}
 */
function verdictIn (points, circumstances) {
  const part = worsePart(points)
  if (part !== null && part.share >= DECIDES) {
    return {
      verdict: part.verdict, cause: causeWords({ reason: part.reason, facts: { ...part.facts, ...circumstances } })
    }
  }
  const all = lengthOf(points)
  const busy = lengthOf(points.filter(({ verdict }) => verdict !== 'healthy' && verdict !== null))
  if (all < LONG_ENOUGH || points.every(({ verdict }) => verdict === null)) return { verdict: null, cause: null }
  return { verdict: busy >= DECIDES * all ? 'busy' : 'healthy', cause: null }
}

/**
 * @param {import('../../figures/series').Point[]} points of a part of a run
 * @returns {{ lost: number | null, cpu: number }} `lost`: the share of the time in which the generator had CPU wait, or
 *   was blocked; null if the system does not report it
 */
function lossIn (points) {
  const all = lengthOf(points)
  /** @param {(point: import('../../figures/series').Point) => number} value */
  const mean = value => all === 0 ? 0 : sumOf(points, point => value(point) * point.length) / all
  const isUnknown = points.some(({ runDelay }) => runDelay === null)
  return {
    lost: isUnknown ? null : Math.max(mean(({ runDelay }) => runDelay ?? 0), mean(({ blocked }) => blocked)),
    cpu: mean(({ cpu }) => cpu)
  }
}

/**
 * A load generator that was starved for a tenth of the time explains a tenth of missing or late requests, and no more.
 * @param {{ verdict: Verdict | null, lost: number | null, cpu: number }} generator
 * @param {number} share of the requests that are missing or late
 * @returns {boolean} whether the load generator explains all of it
 */
function explains ({ verdict, lost, cpu }, share) {
  if (verdict !== 'starved') return verdict === 'saturated'
  return lost === null || share <= lost || cpu + lost >= FULL
}

/** @param {Array<{ length: number }>} points */
const lengthOf = points => sumOf(points, ({ length }) => length)

/** @param {Facts} facts of a time in which a generator was starved @returns {Reason} */
function reasonOf ({ cpu, runDelay, blocked }) {
  if (runDelay !== null && (runDelay / (runDelay + cpu) >= STARVED || runDelay > blocked)) return 'core'
  return runDelay !== null || blocked > 0 ? 'blocked' : 'late'
}

/**
 * @param {Array<{ time: number, length: number }>} points
 * @returns {Array<{ from: number, to: number }>} ms. Points less than BETWEEN apart are joined: a point of 0.1 s is
 *   judged together with the second before it, so gaps of that length are chance
 */
function timesOf (points) {
  /** @type {Array<{ from: number, to: number }>} */
  const times = []
  for (const { time, length } of points) {
    const last = times.at(-1)
    // Times of points are on a grid, and their lengths are measured.
    if (last !== undefined && time - last.to < Math.max(length / 2, BETWEEN)) last.to = time + length
    else times.push({ from: time, to: time + length })
  }
  return times
}

module.exports = { DECIDES, NAMED, causeOf, verdictIn, explains, lossIn }
