'use strict'

// Servers whose figures are known, with latencies that depend on each other in the ways of real ones, as the responses that a run would get of
// them; and the result of such a run.

const { randomFrom } = require('../../../lib/core/random')
const { Histogram } = require('../../../lib/record/histogram')
const { Batches } = require('../../../lib/judge/batches')

/**
 * @typedef {() => number} Random
 *
 * @typedef {object} Server
 * @property {string} name
 * @property {(random: Random, ms: number) => () => [at: number, latency: number]} start when the next response comes, ms since the start, and its latency, ms
 * @property {Record<string, number>} figures by the name of their metric
 * @property {number} [least] seconds that a run lasts: less is a part of one swing, which no run can know to be one
 */

/** ms of a speed that wanders. */
const STEP = 10
const SPREAD = 0.3
const MEAN = 10

/**
 * @param {Random} random
 * @param {number} mean
 */
const exponential = (random, mean) => -mean * Math.log(1 - random())

/** @param {Random} random */
const normal = random => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/**
 * @param {Random} random
 * @param {number} [spread]
 */
const logNormal = (random, spread = SPREAD) => MEAN * Math.exp(spread * normal(random))

/**
 * @param {number} x
 * @returns {number} the share of the normal distribution above it (Numerical Recipes, erfc by Chebyshev fitting, 1.2e-7)
 */
function aboveNormal (x) {
  const t = 1 / (1 + Math.abs(x) / Math.SQRT2 / 2)
  const terms = [-1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277]
  const half = t / 2 * Math.exp(-x * x / 2 + terms.reduceRight((sum, term) => term + t * sum, 0))
  return x >= 0 ? half : 1 - half
}

/**
 * @param {number} [middle]
 * @param {number} [spread]
 * @returns {(x: number) => number} the share of log-normal latencies above it
 */
const aboveLogNormal = (middle = MEAN, spread = SPREAD) => x => x <= 0 ? 1 : aboveNormal(Math.log(x / middle) / spread)

/**
 * @param {Array<[share: number, above: (x: number) => number]>} parts
 * @returns {(x: number) => number}
 */
const mixture = parts => x => parts.reduce((sum, [share, above]) => sum + share * above(x), 0)

/**
 * @param {(x: number) => number} above the share of latencies above it
 * @param {number} [mean] where the integral does not end
 */
function figuresOf (above, mean = integral(above)) {
  return { avg: mean, p50: quantile(above, 0.5), p95: quantile(above, 0.05), p99: quantile(above, 0.01) }
}

/** @param {(x: number) => number} above */
function integral (above) {
  let sum = 0
  for (let from = 0, to = 1e-3; from < 1e5; from = to, to *= 1.01) sum += above((from + to) / 2) * (to - from)
  return sum
}

/**
 * @param {(x: number) => number} above
 * @param {number} share
 */
function quantile (above, share) {
  let [low, high] = [0, 1e6]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (above(middle) > share) low = middle
    else high = middle
  }
  return low
}

/**
 * An open loop: a request each ms.
 * @param {string} name
 * @param {(random: Random, ms: number) => (at: number) => number} latencies
 * @param {Record<string, number>} figures
 * @returns {Server}
 */
function open (name, latencies, figures) {
  return {
    name,
    start (random, ms) {
      const latencyAt = latencies(random, ms)
      let at = 0
      return () => {
        const latency = latencyAt(at++)
        return [at + latency, latency]
      }
    },
    figures
  }
}

/**
 * A speed that wanders: its logarithm is an AR(1) process.
 * @param {number} tau s
 * @param {number} by its standard deviation
 * @returns {Server}
 */
function wandering (tau, by) {
  const memory = Math.exp(-STEP / tau / 1000)
  const parts = Array.from({ length: 200 }, (_, i) => -5 + (i + 0.5) / 20)
  const server = open(`AR(1), τ ${tau} s, ±${by * 100} %`, random => {
    let [x, until] = [normal(random) * by, STEP]
    return at => {
      for (; until <= at; until += STEP) x = memory * x + Math.sqrt(1 - memory ** 2) * by * normal(random)
      return logNormal(random) * Math.exp(x)
    }
  }, figuresOf(mixture(parts.map(z => [Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) / 20, aboveLogNormal(MEAN * Math.exp(by * z))]))))
  return { ...server, least: tau }
}

/**
 * @param {number} length ms in which everything takes five times as long
 * @param {number} every ms
 * @returns {Server}
 */
function bursts (length, every) {
  return open(`bursts of ${length} ms every ${every / 1000} s`, random => {
    const offset = random() * every
    return at => logNormal(random) * ((at + offset) % every < length ? 5 : 1)
  }, figuresOf(mixture([[length / every, aboveLogNormal(MEAN * 5)], [1 - length / every, aboveLogNormal()]])))
}

/**
 * @param {number} slow share of the requests that take ten times as long
 * @returns {Server}
 */
function bimodal (slow) {
  return open(`bimodal, ${slow * 100} %`, random => () => logNormal(random, 0.05) * (random() < slow ? 10 : 1),
    figuresOf(mixture([[slow, aboveLogNormal(MEAN * 10, 0.05)], [1 - slow, aboveLogNormal(MEAN, 0.05)]])))
}

/**
 * @param {number} alpha
 * @returns {Server}
 */
function pareto (alpha) {
  return open(`Pareto ${alpha}`, random => () => (1 - random()) ** (-1 / alpha), figuresOf(x => x < 1 ? 1 : x ** -alpha, alpha / (alpha - 1)))
}

/**
 * Nothing goes on for so long, at random times: what is due then waits for the end.
 * @param {number} length ms
 * @param {number} every ms between two, on average
 * @returns {Server}
 */
function stalls (length, every) {
  const share = length / (length + every)
  const waits = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100 * length)
  return open(`stalls of ${length} ms every ${every / 1000} s`, random => {
    let from = exponential(random, every)
    return at => {
      while (at >= from + length) from += length + exponential(random, every)
      return logNormal(random) + (at >= from ? from + length - at : 0)
    }
  }, figuresOf(mixture([[1 - share, aboveLogNormal()], ...waits.map(wait => /** @type {[number, (x: number) => number]} */ ([share / 100, x => aboveLogNormal()(x - wait)]))])))
}

/**
 * M/M/1: Poisson arrivals, one server, which is busy for 80 %.
 * @param {number} service ms
 * @returns {Server}
 */
function queue (service) {
  const mean = service / 0.2
  return {
    name: `M/M/1 at 80 %, ${service} ms each`,
    start (random) {
      let at = 0
      let work = random() < 0.8 ? exponential(random, mean) : 0
      return () => {
        const gap = exponential(random, service / 0.8)
        at += gap
        work = Math.max(0, work - gap) + exponential(random, service)
        return [at + work, work]
      }
    },
    figures: { avg: mean, p50: mean * Math.log(2), p95: mean * Math.log(20), p99: mean * Math.log(100) }
  }
}

/** @type {Server[]} */
const SERVERS = [
  open('exponential', random => () => exponential(random, MEAN), { avg: MEAN, p50: MEAN * Math.log(2), p95: MEAN * Math.log(20), p99: MEAN * Math.log(100) }),
  open('log-normal', random => () => logNormal(random, 0.5), figuresOf(aboveLogNormal(MEAN, 0.5))),
  pareto(2.1),
  pareto(1.5),
  bimodal(0.012),
  bimodal(0.02),
  wandering(2, 0.1),
  wandering(20, 0.1),
  bursts(200, 2200),
  bursts(1000, 11_000),
  open('drift by 20 %', (random, ms) => at => logNormal(random) * (0.9 + 0.2 * at / ms), figuresOf(mixture(Array.from({ length: 100 }, (_, i) => [0.01, aboveLogNormal(MEAN * (0.9 + 0.2 * (i + 0.5) / 100))])))),
  stalls(100, 2000),
  queue(1),
  queue(5)
]

/**
 * @param {Server} server
 * @param {number} seed
 * @param {number} seconds
 * @param {number} [samples]
 * @returns {{ result: Record<string, any>, course: Batches }} of a run
 */
function runOf ({ start }, seed, seconds, samples = 20) {
  const length = seconds * 1000 / samples
  const next = start(randomFrom(Math.imul(seed, 0x9e3779b1) ^ (seed << 16)), seconds * 1000)
  const latencies = Array.from({ length: samples }, () => new Histogram())
  for (let [at, latency] = next(); at - latency < seconds * 1000; [at, latency] = next()) {
    if (at < seconds * 1000) latencies[Math.floor(at / length)].record(latency)
  }
  const course = new Batches()
  for (const [i, latency] of latencies.entries()) course.add({ time: i * length, length, requests: latency.count, bytes: latency.count * 100 }, latency.count === 0 ? null : latency)
  return { course, result: resultOf(course.whole, seconds) }
}

/**
 * @param {Histogram} latency
 * @param {number} seconds
 * @returns {Record<string, any>} what a result has that is judged
 */
function resultOf (latency, seconds) {
  return {
    duration: seconds,
    latency: { ...latency.summary(), histogram: latency.toBase64() },
    requests: { total: latency.count, average: latency.count / seconds },
    throughput: { average: latency.count * 100 / seconds },
    failures: 0,
    unexpected: 0,
    errors: 0,
    generator: { verdict: 'healthy', cause: null },
    interrupted: false
  }
}

module.exports = { SERVERS, resultOf, runOf }
