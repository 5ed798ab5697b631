'use strict'

// The health of the generators, from the usage of each: the figures of the busiest one, and the verdict.

const { sumOf } = require('../../core/statistics')
const { delayedOf } = require('./cpu-wait')
const { MORE_WORKERS, WORKERS } = require('../../words/load-generator')
const { causeOf } = require('./cause')
const { LONG_ENOUGH, SATURATED, sharesOf } = require('./verdict')
const { longestOf } = require('../../record/usage')

/** @typedef {import('../../record/usage').Usage} Usage */
/** @typedef {import('../../record/usage').Lag} Lag */

/**
 * @typedef {object} GeneratorHealth
 * @property {number} cpu the busiest generator's share of a core, 0 to 1
 * @property {number} cpuTotal of all generators, in cores
 * @property {number} eventLoopUtilization the busiest generator's, 0 to 1, without turns that only waited for the clock
 * @property {Lag} lag ms, the worst of all generators
 * @property {number} gcMs of all generators
 * @property {number} standstillMs the longest that a generator stalled in all: it was stopped, got no core, or was
 *   blocked
 * @property {number | null} runDelayMs the longest CPU wait of a generator in all; null where no system has figures
 * @property {number} blockedMs the longest that single turns took of a generator in all
 * @property {number | null} stolenMs the longest that the host had given the core of a generator to others in all; null
 *   where it is unknown
 * @property {number | null} throttledMs the longest that a generator had used up the quota of its control group; null
 *   likewise
 * @property {{ p95: number, p99: number } | null} delayed the share of moments that a wait for the CPU delayed by more
 *   than a tenth of p95 and of p99, the most of all generators; null when that is not known
 * @property {boolean} saturated whether the event loop of one had no time left
 * @property {import('./verdict').Verdict | null} verdict null when the run was too short, or for raw results of older
 *   versions
 * @property {import('./verdict').Reason | null} reason code of the cause
 * @property {string | null} cause of it, and its effect on the figures; null when healthy or unknown
 * @property {import('../../words/load-generator').Why | null} [why] the cause as data
 */

/**
 * @param {Usage[]} given one of each generator, over the same time; without those that have not reported yet, or died
 *   before
 * @param {Lag} [lag] of the requests, when they had times to keep; the event loop's when left out
 * @param {import('../../figures/point').Point[]} [series] the course of the run: a part of it can be worse than the
 *   whole
 * @param {string} [more] the advice where they are overloaded
 * @param {import('./cause').Circumstances} [circumstances]
 * @returns {GeneratorHealth}
 */
function healthOf (given, lag, series = [], more = adviceFor(given), circumstances = { hasHooks: true }) {
  const usages = given.filter(usage => usage !== undefined)
  const shares = usages.map(sharesOf)
  const { latency = null } = circumstances
  const delays = usages.map(usage => delayedOf(usage, latency)).filter(delayed => delayed !== null)
  const worst = (/** @type {keyof Lag} */ key) => Math.max(0, ...usages.map(({ delay }) => delay[key]))
  const health = {
    cpu: Math.max(0, ...shares.map(({ cpu }) => cpu)),
    cpuTotal: sumOf(shares, ({ cpu }) => cpu),
    eventLoopUtilization: Math.max(0, ...shares.map(({ eventLoop }) => eventLoop)),
    lag: lag ?? { p50: worst('p50'), p99: worst('p99'), max: worst('max') },
    gcMs: sumOf(usages, ({ gcMs }) => gcMs),
    standstillMs: Math.max(0, ...usages.map(({ standstillMs = 0 }) => standstillMs)),
    runDelayMs: longestOf(usages.map(({ runDelayMs }) => runDelayMs)),
    blockedMs: Math.max(0, ...usages.map(({ blockedMs = 0 }) => blockedMs)),
    stolenMs: longestOf(usages.map(({ stolenMs }) => stolenMs)),
    throttledMs: longestOf(usages.map(({ throttledMs }) => throttledMs)),
    delayed: delays.length === 0
      ? null
      : { p95: Math.max(...delays.map(({ p95 }) => p95)), p99: Math.max(...delays.map(({ p99 }) => p99)) },
    saturated: usages.some(({ wallMs }, i) => wallMs >= LONG_ENOUGH && shares[i].eventLoop >= SATURATED)
  }
  return { ...health, ...causeOf(usages, series, more, circumstances) }
}

/** @param {Usage[]} given one of each thread @returns {string} */
const adviceFor = given => given.length > 1 ? MORE_WORKERS : WORKERS

/**
 * @param {import('../../record/histogram').Histogram} latency
 * @returns {import('./cpu-wait').Latency | null} null without a response
 */
function latencyOf (latency) {
  return latency.count === 0 ? null : { p95: latency.percentile(95), p99: latency.percentile(99) }
}

module.exports = { healthOf, latencyOf }
