'use strict'

// Servers whose capacity is known, in arithmetic only, and a clock that passes as requests fall due: what a trial of a search measures of them, how
// often a search finds their limit, and in how many steps.

const { randomFrom } = require('../../../lib/core/random')
const { Histogram } = require('../../../lib/record/histogram')
const { runSearch } = require('../../../lib/experiments/find/run-search')
const { Search } = require('../../../lib/experiments/find/search')
const { longestSearch } = require('../../../lib/experiments/find/time-limit')
const { parseThreshold } = require('../../../lib/judge/threshold')

const PARTS = 10
/** Between two trials, and how long is waited for what has no answer yet, ms. */
const PAUSE = 300
const PATIENCE = 1000

/**
 * @typedef {object} Behaviour
 * @property {(random: () => number) => number} service ms
 * @property {number} [servers] who work on one request at a time each
 * @property {number} [connections] with one request on each at a time; as many as it takes by default
 * @property {{ rate: number, burst: number }} [limiter] answers 429 at once to what comes faster, but for a burst
 * @property {boolean} [poisson] whether requests come at random
 * @property {{ ms: number, every: number }} [hiccups] nothing goes on for so many ms, at random times so far apart on average
 */

class SimulatedQueue {
  /**
   * @param {number} seed
   * @param {Behaviour} behaviour
   */
  constructor (seed, { service, servers = 1, connections, limiter, poisson = false, hiccups }) {
    this.random = randomFrom(Math.imul(seed + 1, 0x9e3779b1))
    this.service = service
    this.free = new Float64Array(servers)
    /** When each connection is free again. */
    this.open = connections === undefined ? null : new Float64Array(connections)
    this.limiter = limiter
    this.tokens = limiter?.burst ?? 0
    this.refilledAt = 0
    this.poisson = poisson
    this.hiccups = hiccups
    this.hiccupAt = hiccups === undefined ? Infinity : this.gap(hiccups.every)
    this.now = 0
  }

  /**
   * @param {number} rate
   * @param {{ settleMs: number, judgeMs: number }} times
   * @returns {import('../../../lib/experiments/find/trial').Measured}
   */
  measure (rate, { settleMs, judgeMs }) {
    const from = this.now + settleMs
    const until = from + judgeMs
    const parts = Array.from({ length: PARTS }, () => ({ ms: judgeMs / PARTS, due: 0, counted: { responses: 0, ended: 0, failures: 0, errors: 0, non2xx: 0 }, latency: new Histogram() }))
    let last = until
    let written = 0
    const first = []
    for (let due = this.next(this.now, rate); due < until; due = this.next(due, rate)) {
      const [connection, at] = this.connectionAt(due)
      const isSent = at <= until + PATIENCE
      const { end, ok } = isSent ? this.serve(at) : { end: Infinity, ok: false }
      if (isSent && this.open !== null) this.open[connection] = end
      if (at >= from && at < until) written++
      if (first.length < (this.open?.length ?? 0)) first.push(end - due)
      if (due < from) continue
      const { counted, latency } = parts[Math.floor((due - from) / judgeMs * PARTS)]
      parts[Math.floor((due - from) / judgeMs * PARTS)].due++
      // What has no answer until then is never sent.
      latency.record(Math.min(end, until + PATIENCE) - due)
      if (end > until + PATIENCE) continue
      last = Math.max(last, end)
      counted.responses++
      counted.ended++
      if (ok) continue
      counted.failures++
      counted.non2xx++
    }
    this.now = last + PAUSE
    for (const ends of [this.free, this.open ?? []]) for (let i = 0; i < ends.length; i++) ends[i] = Math.min(ends[i], this.now)
    const slots = this.open?.length ?? 10_000
    const rested = first.length === 0 ? null : first[first.length >> 1]
    return { parts, achieved: written / judgeMs * 1000, connections: slots, slots, rested, cause: null, from, to: until, generator: 'healthy', lost: 0, cpu: 0.1 }
  }

  /**
   * @param {number} at
   * @param {number} rate
   * @returns {number} when the next request comes
   */
  next (at, rate) {
    return at + (this.poisson ? this.gap(1000 / rate) : 1000 / rate)
  }

  /** @param {number} mean */
  gap (mean) {
    return -mean * Math.log(1 - this.random())
  }

  /** @param {number} connections that there are from now on */
  grow (connections) {
    this.open = new Float64Array(connections).fill(this.now)
  }

  /**
   * @param {number} due
   * @returns {[number, number]} which connection is free first, and when the request is written
   */
  connectionAt (due) {
    const { open } = this
    return open === null ? [0, due] : earliest(open, due)
  }

  /** @param {number} at */
  serve (at) {
    const { limiter, free } = this
    if (limiter !== undefined) {
      this.tokens = Math.min(limiter.burst, this.tokens + (at - this.refilledAt) * limiter.rate / 1000)
      this.refilledAt = at
      if (this.tokens < 1) return { end: at + 1, ok: false }
      this.tokens--
    }
    while (at >= this.hiccupAt) {
      for (let i = 0; i < free.length; i++) free[i] = Math.max(free[i], this.hiccupAt) + this.hiccups.ms
      this.hiccupAt += this.gap(this.hiccups.every)
    }
    const [first, start] = earliest(free, at)
    const end = free[first] = start + this.service(this.random)
    return { end, ok: true }
  }
}

/**
 * @param {Float64Array} free when each one is
 * @param {number} at
 * @returns {[number, number]} which one is free first, and from when on it has time
 */
function earliest (free, at) {
  let first = 0
  for (let i = 1; i < free.length; i++) if (free[i] < free[first]) first = i
  return [first, Math.max(at, free[first])]
}

/** @param {number} ms */
const fixed = ms => () => ms

/** @param {number} mean ms */
const exponential = mean => (/** @type {() => number} */ random) => -mean * Math.log(1 - random())

/**
 * Requests that come at random to one server with a fixed service time wait longer than t with a probability that A. K. Erlang knew ("The theory of
 * probabilities and telephone conversations", 1909).
 * @param {number} service ms
 * @param {number} most ms
 * @param {number} share of the requests that take no longer
 * @returns {number} the highest rate for which that holds, per second
 */
function limitOfFixed (service, most, share) {
  const wait = most - service
  /** @param {number} rate per ms */
  const within = rate => {
    let sum = 0
    for (let i = 0, factorial = 1; i * service <= wait; i++, factorial *= i) {
      const x = rate * (i * service - wait)
      sum += Math.exp(-x) * x ** i / factorial
    }
    return (1 - rate * service) * sum
  }
  let [low, high] = [0, 1 / service]
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (within(middle) >= share) low = middle
    else high = middle
  }
  return low * 1000
}

const HICCUPS = { ms: 60, every: 60_000 }

/**
 * Servers, and what theory says of them. With requests that come at random, a figure of 10 s varies by more than the precision.
 * @type {Array<{ name: string, behaviour: Behaviour, thresholds: string[], limit: number, step: number }>}
 */
const KNOWN = [
  { name: 'one server, 1 ms each', behaviour: { service: fixed(1), hiccups: HICCUPS }, thresholds: ['p99 < 50ms', 'errors == 0'], limit: 1000, step: 10 },
  { name: 'the same with a threshold that a growing queue keeps for long', behaviour: { service: fixed(1), hiccups: HICCUPS }, thresholds: ['p99 < 1s'], limit: 1000, step: 10 },
  { name: '8 servers, 20 ms each', behaviour: { service: fixed(20), servers: 8, hiccups: HICCUPS }, thresholds: ['p99 < 50ms'], limit: 400, step: 10 },
  { name: 'a rate limiter that answers 429', behaviour: { service: fixed(1), servers: 4, limiter: { rate: 700, burst: 50 }, hiccups: HICCUPS }, thresholds: ['failures == 0'], limit: 700, step: 10 },
  { name: 'the same where 1 % may fail', behaviour: { service: fixed(1), servers: 4, limiter: { rate: 700, burst: 50 } }, thresholds: ['failure rate < 1%'], limit: 700 / 0.99, step: 10 },
  { name: 'requests at random to one server, 2 ms each', behaviour: { service: fixed(2), poisson: true }, thresholds: ['p99 < 20ms'], limit: limitOfFixed(2, 20, 0.99), step: 30 },
  // The time in such a queue is exponentially distributed as well.
  { name: 'requests at random to one server, 1 ms on average', behaviour: { service: exponential(1), poisson: true }, thresholds: ['p99 < 50ms'], limit: 1000 - Math.log(100) / 0.05, step: 30 }
]

/**
 * @param {typeof KNOWN[number]} known
 * @param {number} runs each from another seed
 * @param {number} [precision]
 * @returns {Promise<{ good: number, known: number, within: number, width: number, steps: number, seconds: number }>} in how many the limit is in the range
 *   that was found, give or take the precision; how many found it as one value, and within the precision; and on average how wide the range was, relative,
 *   how many steps and how much time one took
 */
async function findKnown ({ behaviour, thresholds, limit, step }, runs, precision = 0.03) {
  const criteria = { thresholds: thresholds.map(parseThreshold), precision, isOpen: true }
  const longestMs = longestSearch({ from: 100, to: 20_000, precision, stepMs: step * 1000 })
  const total = { good: 0, expired: 0, known: 0, within: 0, width: 0, steps: 0, seconds: 0 }
  for (let seed = 0; seed < runs; seed++) {
    const queue = new SimulatedQueue(seed, behaviour)
    const search = new Search({ from: 100, to: 20_000, precision, whole: false })
    await runSearch(search, { measure: async ({ value }) => queue.measure(value, { settleMs: step * 200, judgeMs: step * 800 }), criteria, longestMs, widen: () => null, onStep: () => { total.steps += 1 / runs } })
    const [best, above] = [search.best ?? 0, search.above?.value ?? Infinity]
    if (best <= limit * (1 + precision) && above >= limit / (1 + precision)) total.good++
    if (search.expired) total.expired++
    if (above <= best * (1 + precision)) total.known++
    if (Math.abs(best / limit - 1) <= precision) total.within++
    total.width += (above / best - 1) / runs
    total.seconds += queue.now / 1000 / runs
  }
  return total
}

module.exports = { KNOWN, SimulatedQueue, exponential, findKnown, fixed, limitOfFixed }
