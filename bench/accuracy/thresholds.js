'use strict'

// How often a threshold is judged wrongly: servers whose figures are known, and limits that these are 10 % beyond, or within.

const { judge } = require('../../lib/judge/judge')
const { parseThreshold } = require('../../lib/judge/threshold')
const { SERVERS, runOf } = require('../../test/helpers/simulated/varying-servers')
const { atMost } = require('./rows')

/** How far the true figure is from its limit. */
const OFF = 0.1
const METRICS = ['p50', 'p95', 'p99', 'avg']

/**
 * @typedef {object} Judged shares of the runs, in %
 * @property {number} passes a limit that the true figure is beyond
 * @property {number} fails one that it is within
 * @property {number} inconclusive of both
 * @property {{ passes: number, fails: number }} exact what the figure alone would have said
 */

/** @returns {Map<string, Judged>} by metric */
function judgedRuns (server, runs, seconds) {
  const limits = METRICS.map(metric => [server.figures[metric] / (1 + OFF), server.figures[metric] / (1 - OFF)])
  const thresholds = METRICS.flatMap((metric, i) => limits[i].map(limit => parseThreshold(`${metric} < ${limit.toFixed(4)}ms`)))
  const counts = METRICS.map(() => ({ passes: 0, fails: 0, inconclusive: 0, exact: { passes: 0, fails: 0 } }))
  for (let run = 1; run <= runs; run++) {
    const { result, course } = runOf(server, run, seconds)
    const judgements = judge(thresholds, result, course)
    for (const [i, count] of counts.entries()) {
      const [beyond, within] = [judgements[2 * i], judgements[2 * i + 1]]
      if (beyond.passed === true) count.passes++
      if (within.passed === false) count.fails++
      count.inconclusive += [beyond, within].filter(({ passed }) => passed === null).length / 2
      if (beyond.exact ?? beyond.passed) count.exact.passes++
      if (!(within.exact ?? within.passed)) count.exact.fails++
    }
  }
  const share = (/** @type {number} */ count) => 100 * count / runs
  return new Map(METRICS.map((metric, i) => [metric, {
    passes: share(counts[i].passes),
    fails: share(counts[i].fails),
    inconclusive: share(counts[i].inconclusive),
    exact: { passes: share(counts[i].exact.passes), fails: share(counts[i].exact.fails) }
  }]))
}

/** A queue that is busy for 80 % of the time, in runs that are short for it: where a figure alone is wrong most often. */
const SHORT_QUEUE = { name: 'M/M/1 at 80 %, 1 ms each', seconds: 5 }

/**
 * @param {number} runs of each
 * @returns {import('./rows').Row[]} what is bounded is the worst of the figures
 */
function thresholdRows (runs, seconds = 10) {
  const short = SERVERS.filter(({ name }) => name === SHORT_QUEUE.name).map(server => ({ ...server, name: `${server.name}, runs of ${SHORT_QUEUE.seconds} s`, lasts: SHORT_QUEUE.seconds }))
  return [...SERVERS.map(server => ({ ...server, lasts: Math.max(seconds, server.least ?? 0) })), ...short].flatMap(server => {
    const judged = judgedRuns(server, runs, server.lasts)
    const inconclusive = METRICS.map(metric => `${metric} ${Math.round(/** @type {Judged} */ (judged.get(metric)).inconclusive)}`).join(', ')
    return [
      worst(`${server.name}: 10 % beyond, passes`, judged, ({ passes }) => passes, ({ exact }) => exact.passes, `; inconclusive: ${inconclusive} %`),
      worst(`${server.name}: 10 % within, fails`, judged, ({ fails }) => fails, ({ exact }) => exact.fails)
    ]
  })
}

function worst (name, judged, wrong, exact, more = '') {
  const all = [...judged.values()]
  return atMost(name, `the figure alone ${Math.max(...all.map(exact)).toFixed(1)} %${more}`, Math.max(...all.map(wrong)), 5, '%')
}

module.exports = { METRICS, judgedRuns, thresholdRows }
