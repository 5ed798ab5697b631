'use strict'

// Owns how the generators themselves were, from what each of them used: the figures of the busiest, and the verdict.

const { causeOf } = require('./generator-cause')
const { LONG_ENOUGH, SATURATED, judgeLoad, sharesOf, worstOf } = require('./generator-verdict')
const { round } = require('../units')

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
 * @property {number} [lateMs] of the time between two looks at the event loop, of those that came late
 * @property {boolean} [withServer] whether the server that is measured runs in the same thread
 * @property {Lag} delay of the event loop, since the start
 */

/** @typedef {{ p50: number, p99: number, max: number }} Lag ms */

/**
 * @typedef {object} GeneratorHealth
 * @property {number} cpu the busiest generator's share of a core, 0 to 1
 * @property {number} cpuTotal of all generators, in cores
 * @property {number} eventLoopUtilization the busiest generator's, 0 to 1, without turns that only waited for the clock
 * @property {Lag} lag ms, the worst of all generators
 * @property {number} gcMs of all generators
 * @property {number} standstillMs the longest that a generator stood still in all: it was stopped, got no core, or was blocked
 * @property {number | null} runDelayMs the longest that a generator waited for a core in all; null where no system tells
 * @property {number} blockedMs the longest that single turns took of a generator in all
 * @property {boolean} saturated whether the event loop of one had no time left
 * @property {import('./generator-verdict').Verdict | null} verdict null when the run was too short to tell, or raw results of older versions do not
 * @property {string | null} cause of it, and what it did to the figures; null when healthy or not known
 */

/**
 * @param {Load[]} given one of each generator, over the same time; none of one that has told nothing yet, or died before
 * @param {Lag} [lag] of the requests, when they had times to keep; the event loop's when left out
 * @param {import('./series').Point[]} [series] the course of the run: a part of it can be worse than the whole
 * @returns {GeneratorHealth}
 */
function healthOf (given, lag, series = []) {
  const loads = given.filter(load => load !== undefined)
  const shares = loads.map(sharesOf)
  const worst = (/** @type {keyof Lag} */ key) => Math.max(0, ...loads.map(({ delay }) => delay[key]))
  const health = {
    cpu: Math.max(0, ...shares.map(({ cpu }) => cpu)),
    cpuTotal: shares.reduce((total, { cpu }) => total + cpu, 0),
    eventLoopUtilization: Math.max(0, ...shares.map(({ eventLoop }) => eventLoop)),
    lag: lag ?? { p50: worst('p50'), p99: worst('p99'), max: worst('max') },
    gcMs: loads.reduce((total, { gcMs }) => total + gcMs, 0),
    standstillMs: Math.max(0, ...loads.map(({ standstillMs = 0 }) => standstillMs)),
    runDelayMs: longestOf(loads.map(({ runDelayMs }) => runDelayMs)),
    blockedMs: Math.max(0, ...loads.map(({ blockedMs = 0 }) => blockedMs)),
    saturated: loads.some(({ wallMs }, i) => wallMs >= LONG_ENOUGH && shares[i].eventLoop >= SATURATED)
  }
  return { ...health, ...causeOf(loads, series) }
}

/** What a verdict on a point of the series looks at, ms: in less, a wait of a few ms is chance. */
const JUDGED = 1000

/** The health of one point of the series after the other. Short ones are judged together with those before. */
class PointHealths {
  /** @param {number} step of the series, ms */
  constructor (step) {
    this.count = Math.ceil(JUDGED / step)
    /** @type {Load[][]} */
    this.recent = []
  }

  /**
   * @param {Load[]} loads of each generator in the next point; none of one that has ended
   * @returns {import('./series').PointHealth}
   */
  next (loads) {
    this.recent.push(loads)
    if (this.recent.length > this.count) this.recent.shift()
    const judged = loads.map((_, i) => judgeLoad(this.recent.map(loads => loads[i]).filter(load => load !== undefined).reduce(addLoad)))
    const shares = loads.map(sharesOf)
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
    lateMs: (before.lateMs ?? 0) + (after.lateMs ?? 0),
    ...(before.withServer || after.withServer) && { withServer: true },
    delay: after.delay
  }
}

/**
 * @param {Array<number | null | undefined>} waits for a core
 * @returns {number | null} the longest of those that are known
 */
function longestOf (waits) {
  return waits.reduce((/** @type {number | null} */ longest, wait) => wait == null ? longest : Math.max(longest ?? 0, wait), null)
}

module.exports = { PointHealths, healthOf, addLoad, longestOf }
