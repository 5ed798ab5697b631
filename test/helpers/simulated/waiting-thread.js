'use strict'

// A simulated thread of a load generator that has to wait for the CPU, beside a server whose latencies are known: what the thread measures, what the
// server did, and what the system would tell of the waits. The lengths of waits are found by the generator's own sampler (engine/health/long-turns.js).

const { healthOf } = require('../../../lib/instruments/generator/health')
const { LongTurns } = require('../../../lib/engine/health/long-turns')
const { randomFrom } = require('../../../lib/core/random')
const { Histogram } = require('../../../lib/record/histogram')

/**
 * @typedef {() => number} Random
 * @typedef {[from: number, to: number]} Span ms
 *
 * @typedef {object} Taker who takes the core away
 * @property {string} name
 * @property {(random: Random, ms: number) => Span[]} spans in which the thread has no core
 * @property {'core' | 'quota' | 'steal'} kind
 *
 * @typedef {object} KnownServer
 * @property {string} name
 * @property {(random: Random) => number} latency ms
 *
 * @typedef {object} Measured
 * @property {Histogram} truth latencies of the server
 * @property {Histogram} measured until they were read
 * @property {import('../../../lib/record/usage').Usage} usage
 * @property {{ p95: number, p99: number }} shift by how much the measured percentile is above the true one, relative
 * @property {ReturnType<typeof healthOf>} health
 */

/** What it takes to wake up a thread, ms. */
const WAKE = 0.02

/**
 * @param {Random} random
 * @param {number} mean
 */
const exponential = (random, mean) => -mean * Math.log(1 - random())

/**
 * @param {number} length of each wait, ms
 * @param {number} share of the time
 * @param {'core' | 'steal'} [kind]
 * @returns {Taker}
 */
function slices (length, share, kind = 'core') {
  return {
    name: `${kind === 'core' ? 'slices' : 'steal'} of ${length} ms, ${Number((share * 100).toPrecision(3))} % of the time`,
    kind,
    spans: (random, ms) => {
      /** @type {Span[]} */
      const spans = []
      const gap = length * (1 - share) / share
      if (share === 0) return spans
      for (let from = exponential(random, gap); from < ms; from += length + exponential(random, gap)) spans.push([from, from + length])
      return spans
    }
  }
}

/**
 * @param {number} run ms of each period
 * @param {number} period ms
 * @returns {Taker}
 */
function quota (run, period) {
  return {
    name: `a quota of ${run} of ${period} ms`,
    kind: 'quota',
    spans: (random, ms) => Array.from({ length: Math.ceil(ms / period) }, (_, i) => [i * period + run, (i + 1) * period])
  }
}

/** @type {Taker} */
const NOBODY = { name: 'a core of its own', kind: 'core', spans: () => [] }

/**
 * An even rate. The thread asks the clock all the time (an even pace), or sleeps until something comes.
 * @param {object} given
 * @param {Taker} given.taker
 * @param {KnownServer} given.server
 * @param {number} [given.rate] requests/s
 * @param {number} [given.ms]
 * @param {boolean} [given.polls]
 * @param {number} [given.seed]
 * @returns {Measured}
 */
function measureBeside ({ taker, server, rate = 2000, ms = 20_000, polls = true, seed = 1 }) {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1))
  const spans = taker.spans(random, ms * 2)
  const runsAt = runningIn(spans)
  const [truth, measured] = [new Histogram(), new Histogram()]
  /** @type {number[]} */
  const events = []
  for (let due = 0; due < ms; due += 1000 / rate) {
    const sent = runsAt(due)
    const latency = server.latency(random)
    truth.record(latency)
    measured.record(runsAt(sent + latency) - sent)
    events.push(due, sent + latency)
  }
  const waits = polls ? spans : waitsOf(spans, events)
  const usage = usageOf({ taker, waits, wakes: polls ? [] : events, runsAt, ms })
  const [own, all] = [truth, measured].map(latency => ({ p95: latency.percentile(95), p99: latency.percentile(99) }))
  return {
    truth,
    measured,
    usage,
    shift: { p95: all.p95 / own.p95 - 1, p99: all.p99 / own.p99 - 1 },
    health: healthOf([usage], undefined, [], undefined, { latency: all })
  }
}

/**
 * A closed loop: each connection sends when its response was read, in front of a queue of exponential times of 1 ms.
 * @param {object} given
 * @param {Taker} given.taker
 * @param {number} given.connections
 * @param {number} given.servers of that queue
 * @param {number} [given.ms]
 * @param {number} [given.seed]
 * @returns {{ measured: Histogram, rate: number }} latencies until they were read, and responses per second
 */
function loopBeside ({ taker, connections, servers, ms = 60_000, seed = 1 }) {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1))
  const runsAt = runningIn(taker.spans(random, ms * 2))
  const free = new Float64Array(servers)
  /** @type {Span[]} */
  const inFlight = []
  const measured = new Histogram()
  const send = (/** @type {number} */ at) => {
    const next = free.indexOf(Math.min(...free))
    free[next] = Math.max(at, free[next]) + exponential(random, 1)
    inFlight.push([at, free[next]])
  }
  for (let i = 0; i < connections; i++) send(0)
  for (let at = 0; at < ms;) {
    const first = inFlight.reduce((first, [, arrived], i) => arrived < inFlight[first][1] ? i : first, 0)
    const [[sent, arrived]] = inFlight.splice(first, 1)
    at = runsAt(arrived)
    measured.record(at - sent)
    send(at)
  }
  return { measured, rate: measured.count / ms * 1000 }
}

/**
 * @param {Span[]} spans
 * @returns {(at: number) => number} when the thread runs, from then on
 */
function runningIn (spans) {
  return at => {
    let [low, high] = [0, spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (spans[middle][1] <= at) low = middle + 1
      else high = middle
    }
    return low < spans.length && spans[low][0] <= at ? spans[low][1] : at
  }
}

/**
 * @param {Span[]} spans
 * @param {number[]} events
 * @returns {Span[]} the part of each span in which a thread that sleeps wanted to run: from its first event on
 */
function waitsOf (spans, events) {
  const sorted = events.toSorted((a, b) => a - b)
  let i = 0
  return spans.flatMap(([from, to]) => {
    while (i < sorted.length && sorted[i] < from) i++
    return i < sorted.length && sorted[i] < to ? [([sorted[i], to])] : []
  })
}

/**
 * @param {object} given
 * @param {Taker} given.taker
 * @param {Span[]} given.waits
 * @param {number[]} given.wakes
 * @param {(at: number) => number} given.runsAt
 * @param {number} given.ms
 * @returns {import('../../../lib/record/usage').Usage}
 */
function usageOf ({ taker, waits, wakes, runsAt, ms }) {
  const seen = taker.kind === 'steal' ? [] : waits
  const sorted = wakes.toSorted((a, b) => a - b)
  let [now, i, k, waited] = [0, 0, 0, 0]
  const read = () => {
    for (; i < seen.length && seen[i][1] <= now; i++) waited += seen[i][1] - seen[i][0]
    while (k < sorted.length && sorted[k] <= now) k++
    return { cpuMs: 0, runDelayMs: waited + WAKE * k, slices: i + k }
  }
  /** @type {() => void} */
  let look = () => {}
  const turns = new LongTurns(/** @type {any} */ ({ now: () => now }), /** @type {any} */ ({ read }), 10, /** @type {any} */ ({ every: (_, /** @type {() => void} */ given) => { look = given } }))
  turns.start()
  while (now < ms) {
    now = runsAt(turns.due)
    look()
  }
  const all = waits.reduce((sum, [from, to]) => sum + (from < ms ? to - from : 0), 0)
  const { runDelayMs } = read()
  return {
    cpuMs: 0.2 * now,
    activeMs: 0.2 * now,
    idleMs: 0,
    gcMs: 0,
    wallMs: now,
    stalledMs: 0,
    runDelayMs,
    ...turns.take(),
    stolenMs: taker.kind === 'steal' ? all : 0,
    throttledMs: taker.kind === 'quota' ? all : 0,
    delay: { p50: 0, p99: 0, max: 0 }
  }
}

/** @type {KnownServer[]} */
const SERVERS = [0.5, 2, 10, 100].flatMap(ms => [
  { name: `${ms} ms each`, latency: () => ms },
  { name: `exponential, ${ms} ms`, latency: (/** @type {Random} */ random) => exponential(random, ms) }
])

/** @type {Taker[]} */
const TAKERS = [
  NOBODY,
  ...[4, 1].flatMap(length => [0.005, 0.02, 0.05, 0.14, 0.5].map(share => slices(length, share))),
  quota(50, 100),
  quota(95, 100),
  ...[0.005, 0.05, 0.2].map(share => slices(5, share, 'steal'))
]

module.exports = { NOBODY, SERVERS, TAKERS, loopBeside, measureBeside, quota, slices }
