'use strict'

// The health of the load generators in each point of the series, and in merged points.

const { sumOf } = require('../../core/statistics')
const { judgeUsage, rankOf, sharesOf, spoils, worstOf } = require('./verdict')
const { addUsage, longestOf } = require('../../record/usage')
const { round } = require('../../core/units')

/**
 * @typedef {import('../../record/usage').Usage} Usage
 * @typedef {import('./verdict').Verdict} Verdict
 * @typedef {import('../../figures/point').Point} Point
 * @typedef {import('../../figures/point').Parts} Parts
 *
 * @typedef {object} PointHealth of the worst generator
 * @property {number} cpu share of a core, 0 to 1
 * @property {number} eventLoopUtilization 0 to 1
 * @property {number | null} runDelay the share of the time with CPU wait; null if the system does not report it
 * @property {number} blocked the share of the time in long turns of the event loop
 * @property {Verdict | null} verdict
 */

/** The least time that is judged, ms: in less, a wait of a few ms is chance. */
const JUDGED = 1000

/** Judges one point of the series after the other. Short points are judged together with those before them. */
class Course {
  /** @param {number} step of the series, ms */
  constructor (step) {
    this.count = Math.ceil(JUDGED / step)
    /** @type {Usage[][]} */
    this.recent = []
    /**
     * That of the last point with responses, as a point without any has none.
     * @type {import('./cpu-wait').Latency | null}
     */
    this.latency = null
  }

  /**
   * @param {Pick<import('../../figures/point').OpenPoint, 'usages'>} open the next point; a generator that has ended
   *   has no usage
   * @param {Pick<Point, 'p95' | 'p99'>} figures of its responses
   * @returns {PointHealth}
   */
  next ({ usages }, { p95, p99 }) {
    if (p95 != null && p99 != null && p99 !== 0) this.latency = { p95, p99 }
    const { latency } = this
    this.recent.push(usages)
    if (this.recent.length > this.count) this.recent.shift()
    const judged = usages.map((_, i) =>
      judgeUsage(this.recent.map(usages => usages[i]).filter(usage => usage !== undefined).reduce(addUsage), latency))
    const shares = usages.map(sharesOf)
    /** @param {'cpu' | 'eventLoop' | 'blocked'} key */
    const most = key => shares.reduce((most, share) => Math.max(most, share[key]), 0)
    return {
      cpu: round(most('cpu')),
      eventLoopUtilization: round(most('eventLoop')),
      runDelay: longestOf(shares.map(({ runDelay }) => runDelay === null ? null : round(runDelay))),
      blocked: round(most('blocked')),
      verdict: worstOf(judged.filter(one => one !== undefined)).verdict
    }
  }
}

/**
 * @param {Parts} parts
 * @param {number} length ms
 * @param {boolean} inRow whether they follow each other. Their mean is taken then, as the worst of many would soon
 *   represent all
 * @returns {PointHealth}
 */
function together (parts, length, inRow) {
  const runDelay = longestOf(parts.map(({ point }) => point.runDelay))
  /** @param {'cpu' | 'eventLoopUtilization' | 'runDelay' | 'blocked'} key points of older versions do not have all */
  const figure = key => inRow
    ? round(sumOf(parts, ({ point, ms }) => (point[key] ?? 0) * ms) / (length || 1))
    : Math.max(...parts.map(({ point }) => point[key] ?? 0))
  const longest = Math.max(...parts.map(({ ms }) => ms))
  return {
    cpu: figure('cpu'),
    eventLoopUtilization: figure('eventLoopUtilization'),
    runDelay: runDelay === null ? null : inRow ? figure('runDelay') : runDelay,
    blocked: figure('blocked'),
    verdict: worstVerdict(inRow ? parts.filter(({ ms }) => ms === longest) : parts)
  }
}

/**
 * @param {Parts} parts
 * @returns {Verdict | null} the worst of those that are included for the most part; null if an unknown one may have
 *   been worse
 */
function worstVerdict (parts) {
  const most = parts.filter(({ part }) => part >= 0.5)
  const verdicts = (most.length > 0 ? most : parts).map(({ point }) => point.verdict ?? null)
  const worst = verdicts.reduce((worst, verdict) => rankOf(verdict) > rankOf(worst) ? verdict : worst, null)
  return spoils(worst) || !verdicts.includes(null) ? worst : null
}

module.exports = { Course, together }
