'use strict'

// How often a run that ends because its threshold is decided is wrong: it looks again and again.

const { randomFrom } = require('../../lib/core/random')
const { Histogram } = require('../../lib/record/histogram')
const { Decided } = require('../../lib/judge/decided')
const { judge } = require('../../lib/judge/judge')
const { parseThreshold } = require('../../lib/judge/threshold')
const { SERVERS, resultOf } = require('../../test/helpers/simulated/varying-servers')
const { atMost } = require('./rows')

/** How far the true figure is from its limit. */
const OFF = 0.1
/** ms of the shortest run, of the longest, and of a sample. */
const [LEAST, MOST, SAMPLE] = [10_000, 100_000, 500]

/**
 * @param {import('../../test/helpers/simulated/varying-servers').Server} server
 * @param {number} seed
 * @returns {(i: number) => import('../../lib/record/histogram').Encoded} the latencies of sample i. Samples are drawn in order, when they are first needed:
 *   runs that differ in their limit only share them
 */
function samplesOf ({ start }, seed) {
  const next = start(randomFrom(Math.imul(seed, 0x9e3779b1) ^ (seed << 16)), MOST)
  const drawn = new Histogram()
  /** @type {import('../../lib/record/histogram').Encoded[]} */
  const samples = []
  let at = 0
  let latency = 0
  return i => {
    for (let n = samples.length; n <= i; n++) {
      drawn.reset()
      for (; at < (n + 1) * SAMPLE; [at, latency] = next()) if (latency > 0 && at >= n * SAMPLE) drawn.record(latency)
      samples.push(drawn.encode())
    }
    return samples[i]
  }
}

/**
 * @param {ReturnType<typeof samplesOf>} sampleAt
 * @param {string} expression
 * @param {number} [least] seconds
 * @returns {{ passed: boolean | null, ms: number }} what is decided, and when; null when nothing is until the end
 */
function runUntilDecided (sampleAt, expression, least = 0) {
  const thresholds = [parseThreshold(expression)]
  let passed = null
  const course = new Decided(Math.max(LEAST, least * 1000), () => {
    const judgements = judge(thresholds, resultOf(course.whole, course.elapsed / 1000), course)
    passed = judgements[0].passed
    return judgements
  })
  const sample = new Histogram()
  for (let i = 0; i < MOST / SAMPLE; i++) {
    sample.reset()
    sample.addEncoded(sampleAt(i))
    course.add({ time: i * SAMPLE, length: SAMPLE, requests: sample.count, bytes: 0 }, sample.count === 0 ? null : sample)
    if (course.look()) return { passed, ms: course.elapsed }
  }
  return { passed: null, ms: MOST }
}

/**
 * @returns {{ passes: number, fails: number, open: number, seconds: number }} shares in %: a limit that the true figure is beyond passes, one that it is within fails,
 *   and neither
 */
function decidedRuns (server, metric, runs) {
  const [beyond, within] = [1 + OFF, 1 - OFF].map(factor => `${metric} < ${(server.figures[metric] / factor).toFixed(4)}ms`)
  const all = Array.from({ length: runs }, (_, i) => {
    const sampleAt = samplesOf(server, i + 1)
    return [beyond, within].map(expression => runUntilDecided(sampleAt, expression, server.least))
  })
  const share = (/** @type {(pair: Array<{ passed: boolean | null, ms: number }>) => number} */ count) => 100 * all.reduce((sum, pair) => sum + count(pair), 0) / runs
  return {
    passes: share(([{ passed }]) => Number(passed === true)),
    fails: share(([, { passed }]) => Number(passed === false)),
    open: share(pair => pair.filter(({ passed }) => passed === null).length / 2),
    seconds: share(pair => pair.reduce((sum, { ms }) => sum + ms, 0) / 2000) / 100
  }
}

/** @param {number} runs of each */
function decidedRows (runs) {
  return SERVERS.filter(({ name }) => !name.startsWith('drift')).flatMap(server => ['p99', 'avg'].map(metric => {
    const { passes, fails, open, seconds } = decidedRuns(server, metric, runs)
    return atMost(`${server.name}: ${metric}, 10 % off, ${Math.round(seconds)} s, ${Math.round(open)} % not decided: wrong`, '', Math.max(passes, fails), 5, '%')
  }))
}

module.exports = { decidedRows, decidedRuns }
