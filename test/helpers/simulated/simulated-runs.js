'use strict'

// Runs of two servers that exist in arithmetic only, made in turn on a machine that is not quiet, a hundred times as fast as
// one request after the other would be (simulated-server.js, which it is held against). A second of a closed loop of ten
// connections is drawn as a whole: how many requests end in it, and the ranks of its percentiles. Its latencies are log-normal;
// stalls and what is in the tail are drawn one by one. Samples and histogram are made on demand.

const { Histogram } = require('../../../lib/record/histogram')
const { randomFrom } = require('../../../lib/core/random')
const { CONNECTIONS, SIGMA, countsOf } = require('./simulated-server')

/** Pareto's exponent: the variance of such a tail is infinite. */
const ALPHA = 1.5
/** Where the tail begins, in medians. */
const TAIL = 4

/**
 * @typedef {object} Machine
 * @property {number} [wander] standard deviation of the speed within a run
 * @property {number} [between] standard deviation of the speed from run to run
 * @property {number} [memory] how much the speed of one second, or run, and of the next have to do with each other (ρ)
 * @property {number} [drift] by how much each run is slower than the one before
 * @property {number} [stalls] per second
 * @property {number} [tail] share of the requests that are in a tail of Pareto's
 *
 * @typedef {object} Server
 * @property {number} [slower] 1.05 for 5 %
 * @property {number} [median] ms
 * @property {number} [errors] share of the requests that fail
 */

/** @param {number} seed of which neighbours have nothing in common */
function chance (seed) {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ (seed << 16))
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return { random, normal }
}

/**
 * @param {number} seed
 * @param {{ order: string, base?: Server, next?: Server, seconds?: number } & Machine} session `order`: such as ABBA, A for base
 * @returns {{ base: Array<Record<string, any>>, next: Array<Record<string, any>> }} in the order in which they were made
 */
function simulateRuns (seed, { order, base = {}, next = {}, seconds = 10, between = 0, drift = 0, ...machine }) {
  const { random, normal } = chance(seed)
  const { memory = 0 } = machine
  /** @type {{ base: any[], next: any[] }} */
  const runs = { base: [], next: [] }
  let level = between * normal()
  for (const [i, letter] of [...order].entries()) {
    const server = letter === 'A' ? base : next
    const start = new Date(Date.UTC(2026, 10, 21) + i * (seconds + 1) * 1000)
    runs[letter === 'A' ? 'base' : 'next'].push(simulateRun({ random, normal }, { start, seconds, speed: level + i * drift, ...machine, ...server }))
    level = memory * level + Math.sqrt(1 - memory ** 2) * between * normal()
  }
  return runs
}

/**
 * @param {ReturnType<typeof chance>} chance
 * @param {{ start: Date, seconds: number, speed: number } & Machine & Server} run `speed`: a logarithm
 * @returns {Record<string, any>} what a comparison looks at in a result
 */
function simulateRun ({ random, normal }, { start, seconds, speed, wander = 0, memory = 0, stalls = 0, tail = 0, slower = 1, median = 4, errors: failing = 0 }) {
  const level = Math.log(median * slower) + speed
  const parts = []
  let wandering = wander * normal()
  for (let i = 0; i < seconds; i++) {
    const middle = level + wandering
    /** Latencies that are drawn one by one, ms. */
    const extra = []
    let left = CONNECTIONS * 1000
    if (random() < stalls) for (let c = 0, length = 20 + 180 * random(); c < CONNECTIONS; c++) extra.push(length + Math.exp(middle + SIGMA * normal()))
    const mean = Math.exp(middle + SIGMA ** 2 / 2)
    const tailMean = Math.exp(middle) * TAIL * ALPHA / (ALPHA - 1)
    const tails = tail === 0 ? 0 : Math.round(around(tail * left / ((1 - tail) * mean + tail * tailMean), normal))
    for (let k = 0; k < tails; k++) extra.push(Math.exp(middle) * TAIL * (1 - random()) ** (-1 / ALPHA))
    for (const ms of extra) left -= ms
    // A sum of n latencies fills the time: n varies as much as their mean does.
    const n = Math.max(10, left / mean)
    const body = Math.round(n + Math.sqrt(n * Math.expm1(SIGMA ** 2)) * normal())
    parts.push({ middle, body, extra: extra.sort((a, b) => a - b), failed: failing === 0 ? 0 : Math.round(around(failing * body, normal)), luck: bridge(normal) })
    wandering = memory * wandering + Math.sqrt(1 - memory ** 2) * wander * normal()
  }
  return resultOf(parts, start, seconds)
}

/**
 * @param {number} n
 * @param {() => number} normal
 * @returns {number} of events of which there are n in the mean
 */
function around (n, normal) {
  return Math.max(0, n + Math.sqrt(n) * normal())
}

const PERCENTILES = /** @type {const} */ ([['p50', 0.5], ['p95', 0.95], ['p99', 0.99]])

/**
 * @param {() => number} normal
 * @returns {number[]} how far the rank of each percentile is from its place, in √n: a Brownian bridge
 */
function bridge (normal) {
  const luck = []
  let [at, value] = [0, 0]
  for (const [, p] of PERCENTILES) {
    value = value * (1 - p) / (1 - at) + Math.sqrt((p - at) * (1 - p) / (1 - at)) * normal()
    luck.push(value)
    at = p
  }
  return luck
}

/**
 * @typedef {object} Part a second
 * @property {number} middle logarithm of the median
 * @property {number} body how many requests
 * @property {number[]} extra latencies of others, rising
 * @property {number} failed
 * @property {number[]} luck
 */

/**
 * @param {Part[]} parts
 * @param {Date} start
 * @param {number} seconds
 */
function resultOf (parts, start, seconds) {
  const total = parts.reduce((sum, { body, extra }) => sum + body + extra.length, 0)
  const failed = parts.reduce((sum, { failed }) => sum + failed, 0)
  const values = quantilesOf(parts)
  const average = CONNECTIONS * 1000 * seconds / total
  return {
    ...countsOf({ seconds, total, failed }),
    start,
    latency: {
      average: round(average),
      stddev: average,
      totalCount: total,
      ...values,
      get histogram () { return histogramOf(parts).toBase64() }
    },
    get series () { return parts.map(pointOf) }
  }
}

/**
 * @param {Part} part
 * @param {number} i
 */
function pointOf (part, i) {
  const { body, extra, failed } = part
  const requests = body + extra.length
  return {
    time: i * 1000,
    length: 1000,
    requests,
    bytes: requests * 150,
    non2xx: 0,
    failures: failed,
    errors: failed,
    average: CONNECTIONS * 1000 / requests,
    ...quantilesOf([part]),
    max: extra.at(-1) ?? Math.exp(part.middle + 4 * SIGMA)
  }
}

/** @param {Part[]} parts */
function quantilesOf (parts) {
  const extra = parts.length === 1 ? parts[0].extra : parts.flatMap(({ extra }) => extra).sort((a, b) => a - b)
  const total = parts.reduce((sum, { body }) => sum + body, 0) + extra.length
  return Object.fromEntries(PERCENTILES.map(([name, p], i) => {
    const luck = parts.reduce((sum, { luck, body }) => sum + luck[i] * Math.sqrt(body), 0)
    return [name, round(quantile(parts, extra, Math.min(total - 1, Math.max(1, p * total + luck))))]
  }))
}

/**
 * @param {Part[]} parts
 * @param {number[]} extra rising
 * @param {number} rank
 * @returns {number} ms, below or at which so many latencies are
 */
function quantile (parts, extra, rank) {
  const middles = parts.map(({ middle }) => middle)
  let low = Math.min(...middles) - 4 * SIGMA
  let high = Math.max(Math.max(...middles) + 4 * SIGMA, Math.log(extra.at(-1) ?? 1))
  while (high - low > 1e-4) {
    const at = (low + high) / 2
    let below = countUpTo(extra, Math.exp(at))
    for (const { middle, body } of parts) below += body * cumulative((at - middle) / SIGMA)
    if (below < rank) low = at
    else high = at
  }
  return Math.exp(high)
}

/**
 * @param {number[]} rising
 * @param {number} value
 */
function countUpTo (rising, value) {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle] <= value) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * @param {number} z
 * @returns {number} of the normal distribution (Abramowitz and Stegun, 7.1.26: within 1.5e-7)
 */
function cumulative (z) {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const rest = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-x * x)
  return z < 0 ? rest / 2 : 1 - rest / 2
}

/** @param {Part[]} parts */
function histogramOf (parts) {
  const histogram = new Histogram()
  for (const { middle, body, extra } of parts) {
    // A hundred steps of equal probability and more of them in the tail.
    let before = 0
    for (let z = -4; z <= 4; z += 0.05) {
      const upTo = Math.round(body * cumulative(z))
      if (upTo > before) histogram.record(Math.exp(middle + SIGMA * z), upTo - before)
      before = Math.max(before, upTo)
    }
    for (const ms of extra) histogram.record(ms)
  }
  return histogram
}

/** @param {number} ms as a result has it */
function round (ms) {
  return Math.round(ms * 1000) / 1000
}

/**
 * @param {number} runs
 * @returns {string} ABBAABBA…: each side is the first of a run as often as the other
 */
function inTurn (runs) {
  return Array.from({ length: runs }, (_, i) => i % 2 === 0 ? 'AB' : 'BA').join('')
}

module.exports = { simulateRuns, inTurn }
