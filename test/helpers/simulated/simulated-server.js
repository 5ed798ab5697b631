'use strict'

// A server that exists in arithmetic only: what a run against it measures, from a seed. Ten connections in a closed
// loop, log-normal service times, a speed that wanders slowly, a start that is never quite like the last one, and stalls.

const { Histogram } = require('../../../lib/record/histogram')
const { randomFrom } = require('../../../lib/core/random')

/** Of the logarithm of the service time. */
const SIGMA = 0.5
const CONNECTIONS = 10
/** How much the speed of one second and the next has to do with each other. */
const MEMORY = 0.8

/** @param {() => number} random */
function normalFrom (random) {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

const normal = normalFrom(randomFrom(99))
/** Drawing from these is faster than drawing anew. */
const FACTORS = Float64Array.from({ length: 1 << 16 }, () => Math.exp(SIGMA * normal()))

const second = new Histogram()
const whole = new Histogram()

/**
 * @param {{ seconds: number, total: number, failed: number }} run how many requests it made, and of them how many failed
 * @returns {Record<string, any>} what a result has whose server is simulated, without its times and its course
 */
function countsOf ({ seconds, total, failed }) {
  return {
    url: 'http://localhost:3000',
    connections: CONNECTIONS,
    pipelining: 1,
    duration: seconds,
    failures: failed,
    errors: failed,
    timeouts: 0,
    non2xx: 0,
    mismatches: 0,
    interrupted: false,
    requests: { average: total / seconds, total },
    throughput: { average: total * 150 / seconds }
  }
}

/**
 * @param {number} seed
 * @param {{ slower?: number, seconds?: number, median?: number, drift?: number, start?: number, stalls?: number, errors?: number }} [server]
 *   `slower`: 1.05 for 5 %; `drift` and `start`: standard deviations of the speed within a run and from run to run;
 *   `stalls` per second; `errors`: share of the requests that fail
 * @returns {Record<string, any>} what a comparison looks at in a result
 */
function simulate (seed, { slower = 1, seconds = 10, median = 4, drift = 0.005, start = 0.005, stalls = 0.05, errors: failing = 0 } = {}) {
  // Neighbours have nothing in common after this.
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ (seed << 16))
  const normal = normalFrom(random)
  const level = median * slower * Math.exp(start * normal())
  const series = []
  const busyUntil = new Float64Array(CONNECTIONS)
  let wander = drift * normal()
  let total = 0
  let failed = 0
  whole.reset()
  for (let i = 0; i < seconds; i++) {
    second.reset()
    wander = MEMORY * wander + Math.sqrt(1 - MEMORY ** 2) * drift * normal()
    const speed = level * Math.exp(wander)
    const stallFrom = random() < stalls ? (i + 0.8 * random()) * 1000 : Infinity
    const stallUntil = stallFrom + 20 + 180 * random()
    const before = failed
    for (let c = 0; c < busyUntil.length; c++) {
      while (busyUntil[c] < (i + 1) * 1000) {
        const from = busyUntil[c]
        let ms = speed * FACTORS[Math.floor(random() * FACTORS.length)]
        if (from < stallUntil && from + ms > stallFrom) ms += stallUntil - Math.max(from, stallFrom)
        busyUntil[c] = from + ms
        if (failing > 0 && random() < failing) failed++
        else second.record(ms)
      }
    }
    whole.add(second)
    total += second.count
    series.push({
      time: i * 1000,
      length: 1000,
      requests: second.count,
      bytes: second.count * 150,
      non2xx: 0,
      failures: failed - before,
      errors: failed - before,
      average: second.sum / second.count / 1000,
      p50: second.percentile(50),
      p95: second.percentile(95),
      p99: second.percentile(99),
      max: second.max / 1000
    })
  }
  return {
    ...countsOf({ seconds, total, failed }),
    start: '2026-11-21T10:00:00.000Z',
    latency: { ...whole.summary(), histogram: whole.toBase64() },
    series
  }
}

module.exports = { CONNECTIONS, SIGMA, countsOf, simulate }
