'use strict'

// How often a search finds the limit: simulated servers whose limit theory knows, on a clock that passes when requests fall due; and real ones whose
// capacity is known.

const autocannon = require('../..')
const { STEADY, bursts, judgeOne, wandering } = require('../../test/helpers/simulated/restless-server')
const { KNOWN, findKnown } = require('../../test/helpers/simulated/simulated-queue')
const { atLeast, atMost, within: near } = require('./rows')
const { withServer } = require('../served')

/** So many steps at most, on average, from 100 requests/s. */
const STEPS = 40

const REAL = [
  { name: '16 at once, 20 ms each', behaviour: { service: 20, slots: 16 }, options: { thresholds: 'p95 < 200ms' }, limit: 800 },
  { name: 'a rate limiter that answers 429', behaviour: { rate: 700, burst: 20 }, options: { thresholds: 'failures == 0' }, limit: 700 },
  { name: '16 at once, 20 ms each, by connections', behaviour: { service: 20, slots: 16 }, options: { thresholds: 'p50 < 100ms', over: 'connections' }, limit: 80 }
]

/** @param {number} runs of each */
async function limitRows (runs) {
  const rows = []
  for (const known of KNOWN) {
    const { good, known: values, within, width, steps, seconds } = await findKnown(known, runs)
    rows.push(
      atLeast(`${known.name}: ${Math.round(known.limit)}/s is in the range`, '95 %', good / runs * 100, 95, '%'),
      atMost(`${known.name}: steps, in ${Math.round(seconds)} s; ${values} of ${runs} as one value, ${within} within 3 %; ${(width * 100).toFixed(1)} % wide`, '', steps, STEPS, '')
    )
  }
  return rows
}

/** Servers whose speed changes within a step of 10 s, and more slowly. */
const RESTLESS = [STEADY, bursts(200, 2200), bursts(1000, 11_000), wandering(2, 0.3), wandering(2, 0.5), wandering(20, 0.3), wandering(20, 0.5)]

/**
 * A load whose true p99 is beyond its limit by 10 %, or within it by 8 %: what a search says of it.
 * @param {number} runs of each
 */
async function stepRows (runs) {
  const rows = []
  for (const server of RESTLESS) {
    const [beyond, within] = [await judgeOne(server, 110, runs), await judgeOne(server, 92, runs)]
    const share = (/** @type {number} */ count) => Number((count / runs * 100).toFixed(1))
    rows.push(
      atMost(`${server.name}: p99 10 % beyond its limit, held (${share(beyond.failed)} % failed, else inconclusive)`, '≤ 5 %', share(beyond.held), 5, '%'),
      atMost(`${server.name}: p99 8 % within it, failed (${share(within.held)} % held, else inconclusive)`, '≤ 5 %', share(within.failed), 5, '%')
    )
  }
  return rows
}

/** @param {number} step seconds */
async function realLimitRows (step) {
  const rows = []
  for (const { name, behaviour, options, limit } of REAL) {
    const { search } = await withServer(behaviour, ({ url }) => autocannon.find({ url, step, ...options }), 'accuracy/slots-server.js')
    rows.push(near(`${name}: ${search.steps.length} steps, limit: ${search.limit}`, limit, search.best ?? 0, { above: 0.1, relative: true, unit: search.unit }))
  }
  return rows
}

module.exports = { limitRows, realLimitRows, stepRows }
