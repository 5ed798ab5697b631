'use strict'

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { Histogram } = require('../../lib/record/histogram')
const { hindranceOf, slowSwingOf } = require('../../lib/judge/hindrance')
const { simulated } = require('../helpers/effort')
const { coverageOf } = require('../helpers/simulated/known-queues')
const { SERVERS } = require('../helpers/simulated/varying-servers')

const ONES = new Array(40).fill(1)
/** Batches that differ by chance. */
const CHANCE = ((random) => ONES.map(() => 10 + random()))(randomFrom(3))

/** @param {(i: number) => number} of each of 30,000 requests, ms */
function latencyOf (of) {
  const latency = new Histogram()
  for (let i = 0; i < 30_000; i++) latency.record(of((i + 0.5) / 30_000))
  return latency
}

t.test('batches that differ by chance hide nothing, and neither do those that do not differ', async t => {
  t.equal(hindranceOf(CHANCE, ONES, null), null)
  t.equal(slowSwingOf(CHANCE, ONES), null)
  t.equal(hindranceOf(ONES, ONES, null), null)
  t.equal(slowSwingOf(ONES, ONES), null)
})

t.test('one burst', async t => {
  t.equal(hindranceOf(CHANCE.map((one, i) => i === 17 ? one + 10 : one), ONES, null), 'burst')
})

t.test('a swing of which fewer than five periods were seen', async t => {
  const swing = (/** @type {number} */ periods, noise = 0) => ONES.map((_, i) => 10 + Math.sin(2 * Math.PI * periods * (i + 0.3) / ONES.length) + noise * (CHANCE[i] - 10.5))
  t.equal(hindranceOf(swing(3), ONES, null), 'slowSwing')
  t.equal(slowSwingOf(swing(3), ONES), 'slowSwing')
  t.equal(hindranceOf(swing(8), ONES, null), null)
  t.equal(hindranceOf(swing(3, 1.8), ONES, null), 'slowSwing', 'noise near the mean makes no periods')
})

t.test('a mean that few requests decide, or a tail without a variance', async t => {
  t.equal(hindranceOf(CHANCE, ONES, latencyOf(u => -Math.log(1 - u))), null, 'exponential')
  t.equal(hindranceOf(CHANCE, ONES, latencyOf(u => u < 0.98 ? 1 : 10)), null, 'two modes')
  t.equal(hindranceOf(CHANCE, ONES, latencyOf(u => u < 0.9999 ? 1 : 1000)), 'fewRequests')
  t.equal(hindranceOf(CHANCE, ONES, latencyOf(u => Math.min(200, (1 - u) ** (-1 / 1.5)))), 'heavyTail')
  t.equal(hindranceOf(CHANCE, ONES, null), null, 'a percentile has no such thing')
})

t.test('runs that can not know their figure go on', async t => {
  const runs = simulated(40, 20)
  for (const [name, expression] of [['AR(1), τ 20 s, ±10 %', 'avg ±5%'], ['AR(1), τ 20 s, ±10 %', 'p99 ±5%'], ['Pareto 1.5', 'avg ±3%'], ['bursts of 1000 ms every 11 s', 'avg ±5%']]) {
    const { start, figures } = /** @type {import('../helpers/simulated/varying-servers').Server} */ (SERVERS.find(server => server.name === name))
    const { reached } = coverageOf({ name, queue: random => start(random, 100_000), figures }, expression, runs)
    t.ok(reached <= runs / 20, `${name}, ${expression}: ${reached} of ${runs} ended`)
  }
})
