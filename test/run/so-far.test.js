'use strict'

// The result of the time until now, for followers of a run: the same figures as at its end.

const t = require('tap')
const autocannon = require('../..')
const { find } = require('../../lib/experiments/find/find')
const { calm, serve } = require('../helpers/servers/http-server')
const { rawServer, answer } = require('../helpers/servers/raw-server')

t.test('while a run goes on: its figures, with the present state of its thresholds, once for all who ask', async t => {
  const { url } = await serve(t, calm)
  for (const workers of [undefined, 2]) {
    const instance = autocannon({ url, connections: 4, workers, duration: 1, sampleInt: 100, thresholds: ['errors == 0', 'requests < 1'] })
    t.equal(instance.soFar(), null, 'nothing is measured yet')
    /** @type {Array<Record<string, any>>} */
    const seen = []
    instance.follow({
      sample ({ totals, connections, inFlight }) {
        const result = instance.soFar()
        t.equal(instance.soFar(), result, 'it is made once')
        const { sent, completed, timedOut, failed, abandoned } = result.fates
        seen.push({ completed: [completed, totals.completed], inFlight: [sent - completed - timedOut - failed - abandoned, inFlight], connections })
        // On a busy machine the first sample may have no response.
        t.match(result.thresholds, completed === 0 ? [{ passed: null }, { passed: null }] : [{ passed: true }, { passed: false }])
        t.equal(result.latency.p50 > 0, completed > 0)
        t.equal(result.interrupted, false)
      }
    })
    const result = await instance
    t.ok(seen.length >= 3, `${seen.length} samples`)
    for (const { completed, inFlight } of seen) for (const [one, other] of [completed, inFlight]) t.equal(one, other)
    t.equal(Math.max(...seen.map(({ connections }) => connections)), 4)
    t.ok(seen.some(({ inFlight }) => inFlight[0] > 0))
    t.strictSame(instance.soFar().fates, result.fates, 'at its end it is the result')
  }
})

t.test('named requests are counted as they end, and what was not measured yet has not failed', async t => {
  const { url } = await serve(t, calm)
  for (const workers of [undefined, 2]) {
    const requests = ['a', 'b', 'c'].map(name => ({ path: `/${name}`, name }))
    const instance = autocannon({ url, connections: 4, workers, duration: 2, sampleInt: 200, requests, thresholds: ['c: p99 < 60s', 'b: errors == 0'] })
    /** @type {number[][]} */
    const seen = []
    instance.follow({
      sample ({ totals }) {
        const { byRequest, thresholds } = instance.soFar()
        t.strictSame(Object.keys(byRequest), ['a', 'b', 'c'])
        seen.push([totals.completed, ...Object.values(byRequest).map(({ statusCodeStats }) => statusCodeStats[200]?.count ?? 0)])
        t.not(thresholds[0].passed, false, JSON.stringify(thresholds[0]))
        t.equal(thresholds[1].passed, true)
      }
    })
    await instance
    t.ok(seen.length >= 3, `${seen.length} samples`)
    const early = seen.slice(0, -1)
    // Each of the 4 connections sends them in turn: one of 9 has completed the third.
    for (const [completed, ...counts] of early) t.ok((completed < 9 || counts.every(count => count > 0)) && counts.reduce((sum, count) => sum + count) <= completed, `${counts} of ${completed}`)
  }
})

t.test('connections and requests in flight are told with each tick', async t => {
  const server = await rawServer(t, () => {})
  const instance = autocannon({ url: server.url, connections: 3, pipelining: 2, duration: 1, sampleInt: 100 })
  /** @type {any[]} */
  const ticks = []
  instance.on('tick', (/** @type {any} */ tick) => { ticks.push(tick) })
  await instance
  const [{ connections, inFlight }] = ticks.slice(-2)
  t.strictSame({ connections, inFlight }, { connections: 3, inFlight: 6 })
})

t.test('of a search it has the steps that have ended', async t => {
  const server = await rawServer(t, answer())
  const instance = find({ url: server.url, from: 100, to: 200, step: 0.5, thresholds: ['p50 < 5s'] })
  /** @type {number[]} */
  const steps = []
  instance.follow({ step () { steps.push(/** @type {any} */ (instance.soFar())?.search.steps.length) } })
  const { search } = /** @type {any} */ (await instance)
  t.equal(steps.length, search.steps.length)
  t.ok(steps.every((n, i) => n === i || n === i + 1), steps.join())
})
