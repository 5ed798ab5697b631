'use strict'

// Servers whose speed changes while the load stays the same, and whose true percentiles are known: what a trial of a search measures of them, on a
// clock that passes at once. Latencies are exponential around a scale that changes with time; the load itself makes nothing slower.

const { randomFrom } = require('../../../lib/core/random')
const { Histogram } = require('../../../lib/record/histogram')
const { runSearch } = require('../../../lib/experiments/find/run-search')
const { Search } = require('../../../lib/experiments/find/search')
const { parseThreshold } = require('../../../lib/judge/threshold')

const PARTS = 10
/** How long a scale lasts, ms. */
const TICK = 20
/** Of a step of 10 s: what is judged, and what passes between, ms. */
const [JUDGED, BETWEEN] = [8000, 2300]

/**
 * @typedef {() => number} Random
 *
 * @typedef {object} Restless
 * @property {string} name
 * @property {Array<[share: number, scale: number]>} scales how much of the time has which
 * @property {(random: Random) => () => number} walk the scale of one tick after the other
 */

/** @param {Random} random */
const exponential = random => -Math.log(1 - random())

/** @param {Random} random */
const normal = random => Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random())

/** @type {Restless} nothing changes */
const STEADY = { name: 'exponential times', scales: [[1, 1]], walk: () => () => 1 }

/**
 * @param {number} ms how long a burst lasts
 * @param {number} every ms from burst to burst on average; the gaps between them are exponential
 * @param {number} scale in one
 * @returns {Restless}
 */
function bursts (ms, every, scale = 10) {
  return {
    name: `bursts of ${ms} ms every ${every / 1000} s`,
    scales: [[1 - ms / every, 1], [ms / every, scale]],
    walk: random => {
      let left = 0
      let isBurst = random() < ms / every
      const next = () => isBurst ? ms : exponential(random) * (every - ms)
      left = isBurst ? random() * ms : next()
      return () => {
        while (left <= 0) {
          isBurst = !isBurst
          left += next()
        }
        left -= TICK
        return isBurst ? scale : 1
      }
    }
  }
}

/**
 * An AR(1) process of the logarithm of the scale.
 * @param {number} seconds its correlation time
 * @param {number} [deviation]
 * @returns {Restless}
 */
function wandering (seconds, deviation = 0.5) {
  const scales = Array.from({ length: 801 }, (_, i) => (i - 400) / 80).map(z => /** @type {[number, number]} */ ([Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI) / 80, Math.exp(deviation * z)]))
  const keep = Math.exp(-TICK / 1000 / seconds)
  return {
    name: `AR(1) speed, τ ${seconds} s, ±${Math.round(deviation * 100)} %`,
    scales,
    walk: random => {
      let z = normal(random)
      return () => {
        z = keep * z + Math.sqrt(1 - keep * keep) * normal(random)
        return Math.exp(deviation * z)
      }
    }
  }
}

/**
 * @param {Restless} server
 * @param {number} percentile
 * @returns {number}
 */
function trueValue ({ scales }, percentile) {
  let [low, high] = [0, 1e4]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    const beyond = scales.reduce((sum, [share, scale]) => sum + share * Math.exp(-middle / scale), 0)
    if (beyond > 1 - percentile / 100) low = middle
    else high = middle
  }
  return low
}

class RestlessServer {
  /**
   * @param {number} seed
   * @param {Restless} server
   * @param {number} ms its true p99
   */
  constructor (seed, server, ms) {
    this.random = randomFrom(Math.imul(seed + 1, 0x9e3779b1) ^ (seed << 16))
    this.scale = server.walk(this.random)
    this.unit = ms / trueValue(server, 99)
    this.lengths = 0
  }

  /**
   * @param {number} rate
   * @returns {import('../../../lib/experiments/find/trial').Measured} of one length of a step
   */
  measure (rate) {
    this.lengths++
    for (let ms = 0; ms < BETWEEN; ms += TICK) this.scale()
    const parts = Array.from({ length: PARTS }, () => {
      const latency = new Histogram()
      const [ms, perTick] = [JUDGED / PARTS, rate * TICK / 1000]
      for (let at = 0; at < ms; at += TICK) {
        const scale = this.scale() * this.unit
        for (let i = 0; i < perTick; i++) latency.record(scale * exponential(this.random))
      }
      const { count } = latency
      return { ms, due: count, counted: { responses: count, ended: count, sent: count, failures: 0, errors: 0, non2xx: 0, timeouts: 0 }, latency }
    })
    return { parts, achieved: rate, connections: 10_000, slots: 10_000, rested: null, cause: null, from: 0, to: JUDGED, generator: 'healthy', lost: 0, cpu: 0.1 }
  }
}

/**
 * A search that has one load to judge.
 * @param {Restless} server
 * @param {number} ms its true p99; the threshold is p99 < 100ms
 * @param {number} runs
 * @param {number} [rate]
 * @returns {Promise<{ held: number, failed: number, open: number, lengths: number }>} in how many runs the load was found to be held or not, or neither;
 *   and how many lengths of a step one took on average
 */
async function judgeOne (server, ms, runs, rate = 500) {
  const found = { held: 0, failed: 0, open: 0, lengths: 0 }
  const criteria = { thresholds: [parseThreshold('p99 < 100ms')], precision: 0.03, isOpen: true }
  for (let seed = 0; seed < runs; seed++) {
    const one = new RestlessServer(seed, server, ms)
    const search = new Search({ from: rate, to: rate, precision: 0.03, whole: false })
    await runSearch(search, { measure: async ({ value }) => one.measure(value), criteria, widen: () => null, onStep: () => {} })
    found[search.best !== null ? 'held' : search.limit === 'range' ? 'failed' : 'open']++
    found.lengths += one.lengths / runs
  }
  return found
}

module.exports = { STEADY, bursts, judgeOne, trueValue, wandering }
