'use strict'

// The health of the load generators, from the usage of each: the figures of the busiest one, and the verdict.

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
 * @property {number} eventLoopUtilization the busiest generator's, 0 to 1, without busy polling of the clock
 * @property {Lag} lag ms, the worst of all generators
 * @property {number} gcMs of all generators
 * @property {number} stalledMs total time in which a generator stalled, as it was stopped, had no core, or was
 *   blocked. This and the following totals are the highest of any generator
 * @property {number | null} runDelayMs total CPU wait; null if no system reports it
 * @property {number} blockedMs total of long turns of the event loop
 * @property {number | null} stolenMs total time in which the host gave the core to other machines; null if unknown
 * @property {number | null} throttledMs total time in which the quota of the control group was used up; null if unknown
 * @property {{ p95: number, p99: number } | null} delayed the highest probability that CPU wait delayed a response by
 *   more than a tenth of p95, and of p99; null if unknown
 * @property {boolean} saturated whether an event loop had no time left
 * @property {import('./verdict').Verdict | null} verdict null if the run was too short, and in raw results of older
 *   versions
 * @property {import('./verdict').Reason | null} reason the code of the cause
 * @property {string | null} cause the sentence on it and on its effect; null if healthy or unknown
 * @property {import('../../words/load-generator').Why | null} [why] the cause as data
 */

/**
 * @param {Usage[]} given one of each generator, over the same time; undefined for one without a report
 * @param {Lag} [lag] of due requests; that of the event loop when left out
 * @param {import('../../figures/point').Point[]} [series] a part of the run can be worse than the whole
 * @param {string} [more] the advice if they are overloaded
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
    stalledMs: Math.max(0, ...usages.map(({ stalledMs = 0 }) => stalledMs)),
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
