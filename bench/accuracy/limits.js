'use strict'

// Owns how often a search finds the limit: simulated servers whose limit theory knows, on a clock that passes when requests fall due; and real ones whose
// capacity is known.

const autocannon = require('../..')
const { KNOWN, findKnown } = require('../../test/helpers/simulated-queue')
const { withServer } = require('./known-server')
const { atLeast, atMost, within } = require('./rows')

/** So many steps at most, on average, from 100 requests/s. */
const STEPS = 24

/** @type {Array<{ name: string, behaviour: object, options: object, limit: number }>} */
const REAL = [
  { name: '16 at once, 20 ms each', behaviour: { service: 20, slots: 16 }, options: { thresholds: 'p95 < 200ms' }, limit: 800 },
  { name: 'a rate limiter that answers 429', behaviour: { rate: 700, burst: 20 }, options: { thresholds: 'failures == 0' }, limit: 700 },
  { name: '16 at once, 20 ms each, by connections', behaviour: { service: 20, slots: 16 }, options: { thresholds: 'p50 < 100ms', over: 'connections' }, limit: 80 }
]

/**
 * @param {number} runs of each
 * @returns {Promise<import('./rows').Row[]>}
 */
async function limitRows (runs) {
  const rows = []
  for (const known of KNOWN) {
    const { good, steps, seconds, worst } = await findKnown(known, runs)
    rows.push(
      atLeast(`${known.name}: within 3 % of ${Math.round(known.limit)}/s`, '95 %', good / runs * 100, 95, '%'),
      atMost(`${known.name}: steps, in ${Math.round(seconds)} s; worst ${(worst * 100).toFixed(1)} % off`, '', steps, STEPS, '')
    )
  }
  return rows
}

/**
 * @param {number} step seconds
 * @returns {Promise<import('./rows').Row[]>}
 */
async function realLimitRows (step) {
  const rows = []
  for (const { name, behaviour, options, limit } of REAL) {
    const { search } = await withServer(behaviour, ({ url }) => autocannon.find({ url, step, ...options }), 'slots-server.js')
    rows.push(within(`${name}: ${search.steps.length} steps, limit: ${search.limit}`, limit, search.best ?? 0, { above: 0.1, relative: true, unit: search.unit }))
  }
  return rows
}

module.exports = { limitRows, realLimitRows }
