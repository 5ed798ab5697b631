'use strict'

// Queues and servers whose figures theory knows, as the answers that a run would get of them: each draws one answer after the other, and
// stands in its steady state from the first one on.

const { Histogram } = require('../../../lib/record/histogram')
const { randomFrom } = require('../../../lib/core/random')
const { parseUntil } = require('../../../lib/judge/until')
const { Precision } = require('../../../lib/judge/precision')

/**
 * @typedef {() => number} Random
 * @typedef {(random: Random) => () => [at: number, latency: number]} Queue ms since the start and ms
 *
 * @typedef {object} Known
 * @property {string} name
 * @property {Queue} queue
 * @property {Record<string, number>} figures by the name of their metric
 */

/**
 * @param {Random} random
 * @param {number} mean
 */
const exponential = (random, mean) => -mean * Math.log(1 - random())

/** @type {Known} one connection, and a server that takes exponential times of 1 ms */
const ONE = {
  name: 'one connection, exponential times',
  queue (random) {
    let at = 0
    return () => {
      const latency = exponential(random, 1)
      at += latency
      return [at, latency]
    }
  },
  figures: { rps: 1000, avg: 1, p50: Math.LN2, p99: Math.log(100), 'p99.9': Math.log(1000) }
}

/**
 * A closed loop in front of one server: each request finds all others before it, so that a latency is a sum of as many times.
 * @param {number} connections
 * @returns {Known}
 */
function closedLoop (connections) {
  return {
    name: `${connections} connections, one server with exponential times`,
    queue (random) {
      let at = 0
      let next = 0
      const sent = new Float64Array(connections)
      const answer = () => {
        at += exponential(random, 1)
        const latency = at - sent[next]
        sent[next] = at
        next = (next + 1) % connections
        return latency
      }
      for (let i = 0; i < connections; i++) answer()
      const start = at
      return () => {
        const latency = answer()
        return [at - start, latency]
      }
    },
    figures: { rps: 1000, avg: connections, p99: erlang(connections, 0.99) }
  }
}

/**
 * @param {number} k
 * @param {number} share
 * @returns {number} below which that share of the sums of k exponential times of mean 1 is
 */
function erlang (k, share) {
  let [low, high] = [0, 100 * k]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    let [sum, term] = [0, 1]
    for (let j = 0; j < k; j++, term *= middle / j) sum += term
    if (1 - Math.exp(-middle) * sum < share) low = middle
    else high = middle
  }
  return low
}

/**
 * M/M/1: Poisson arrivals, one server that takes 0.1 ms on average. Neighbours are alike: they wait for the same queue.
 * @param {number} load 0 to 1
 * @returns {Known}
 */
function openQueue (load) {
  const service = 0.1
  const mean = service / (1 - load)
  return {
    name: `M/M/1 at ${load * 100} %`,
    queue (random) {
      let at = 0
      let work = random() < load ? exponential(random, mean) : 0
      return () => {
        const gap = exponential(random, service / load)
        at += gap
        work = Math.max(0, work - gap) + exponential(random, service)
        return [at + work, work]
      }
    },
    figures: { avg: mean, p50: mean * Math.LN2, p99: mean * Math.log(100) }
  }
}

/**
 * A server that is four times as slow in a tenth of the time, in phases of 30 ms on average.
 * @type {Known}
 */
const PHASES = {
  name: 'slow phases',
  queue (random) {
    let at = 0
    let isSlow = random() < 1 / 11
    let until = exponential(random, isSlow ? 30 : 300)
    return () => {
      while (at >= until) {
        isSlow = !isSlow
        until += exponential(random, isSlow ? 30 : 300)
      }
      const latency = exponential(random, isSlow ? 0.4 : 0.1)
      at += latency
      return [at, latency]
    }
  },
  // An answer that begins in a phase ends at its speed: 300.1 ms of 10 per ms, 30.4 ms of 2.5 per ms.
  figures: { avg: phaseMean() }
}

function phaseMean () {
  const [fast, slow] = [{ phase: 300, service: 0.1 }, { phase: 30, service: 0.4 }]
  // In a phase, requests begin at a rate of 1 per service; the last one ends behind it by as much again, which the next phase lacks.
  const lasts = [fast, slow].map(({ phase, service }, i) => phase + service - ([slow, fast][i].service))
  const requests = lasts.map((ms, i) => ms / [fast, slow][i].service)
  return (requests[0] * fast.service + requests[1] * slow.service) / (requests[0] + requests[1])
}

/**
 * @param {Known} known
 * @param {string} expression
 * @param {number} seed
 * @param {number} least ms
 * @returns {{ reached: boolean, covers: boolean, ms: number }} a run that lasts until then, at the most ten times the least: whether it came to that, whether the
 *   true value is in its interval, and how long it took
 */
function runUntil ({ queue, figures }, expression, seed, least) {
  const until = parseUntil(expression)
  const truth = figures[until.metric.name]
  const precision = new Precision(until, least)
  const next = queue(randomFrom(Math.imul(seed, 0x9e3779b1) ^ (seed << 16)))
  const length = least / 10
  const latency = new Histogram()
  let requests = 0
  for (let point = 0; point < 100;) {
    const [at, ms] = next()
    for (; at >= (point + 1) * length && point < 100; point++, requests = 0) {
      precision.add({ time: point * length, length, requests, bytes: 0 }, requests === 0 ? null : latency)
      latency.reset()
      if (!precision.look()) continue
      const { low, high } = /** @type {import('../../../lib/judge/precision').Interval} */ (precision.interval)
      return { reached: true, covers: truth >= low && truth <= high, ms: precision.elapsed }
    }
    latency.record(ms)
    requests++
  }
  return { reached: false, covers: false, ms: precision.elapsed }
}

/**
 * @param {Known} known
 * @param {string} expression
 * @param {number} runs
 * @param {number} [least] ms
 */
function coverageOf (known, expression, runs, least = 10_000) {
  const all = Array.from({ length: runs }, (_, i) => runUntil(known, expression, i + 1, least))
  const reached = all.filter(({ reached }) => reached)
  return { reached: reached.length, covered: reached.filter(({ covers }) => covers).length, seconds: reached.reduce((sum, { ms }) => sum + ms, 0) / reached.length / 1000 }
}

module.exports = { ONE, PHASES, closedLoop, openQueue, coverageOf, runUntil }
