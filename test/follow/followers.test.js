'use strict'

// What a follower of a run can rely on, and what a run can rely on with any follower.

const t = require('tap')
const { now } = require('../../lib/core/clock')
const { Followers } = require('../../lib/follow/followers')
const { Histogram } = require('../../lib/record/histogram')
const { Recorder } = require('../../lib/record/recorder')
const { Instance } = require('../../lib/run/instance')
const { Measurement } = require('../../lib/run/measurement')
const { randomFrom } = require('../../lib/core/random')
const { conserves } = require('../helpers/results/conservation')
const { serve } = require('../helpers/servers/http-server')

const INTERVAL = 50
const NO_REQUEST = { response: null, requestError: null, mismatch: null }
const START = Date.UTC(2026, 10, 22)

/**
 * @param {number} seed
 * @param {number} samples
 * @returns {import('../../lib/record/recorder').Snapshot[]} of one machine; every other one has the latencies of two samples
 */
function machine (seed, samples) {
  const random = randomFrom(seed)
  const recorder = new Recorder()
  return Array.from({ length: samples }, (_, sample) => {
    for (let i = Math.floor(random() * 40); i > 0; i--) {
      const ms = 0.1 + random() ** -2
      recorder.sent++
      if (random() < 0.02) recorder.fail(Object.assign(new Error(), { code: 'ECONNRESET' }), NO_REQUEST)
      else recorder.complete(random() < 0.1 ? 503 : 200, 100, ms, ms, ms)
      recorder.bytes += 100
    }
    const busy = random() * 30
    const usage = { cpuMs: busy, activeMs: busy, idleMs: 0, gcMs: 0, wallMs: INTERVAL, stalledMs: 0, runDelayMs: random(), blockedMs: random(), lateMs: 0, delay: { p50: 0, p99: 0, max: 0 } }
    return recorder.take(sample * INTERVAL, (sample + 1) * INTERVAL, sample, usage, sample % 2 === 1)
  })
}

/**
 * @param {import('../../lib/record/recorder').Snapshot[][]} machines their generators
 * @param {import('../../lib/follow/followers').Follower[]} list
 */
function measured (machines, ...list) {
  const followers = new Followers()
  for (const follower of list) followers.add(follower)
  const measurement = new Measurement(INTERVAL, machines.length, followers)
  for (let i = 0; i < Math.max(...machines.map(({ length }) => length)); i++) {
    for (const [generator, snapshots] of machines.entries()) {
      if (i < snapshots.length) measurement.add(generator, snapshots[i])
      if (i === snapshots.length - 1) measurement.end(generator)
    }
  }
  return measurement.outcome({ start: START, finish: START + 1, targetRate: null, interrupted: false })
}

/** Keeps what it takes to merge a run with that of another machine, as text. */
function keeper () {
  /** @type {string[]} */
  const lines = []
  return {
    /** @param {import('../../lib/follow/followers').Sample} sample */
    sample ({ point, latency }) { lines.push(JSON.stringify({ point, latency: latency && latency.encode() })) },
    told: () => lines.map(line => JSON.parse(line))
  }
}

t.test('what two machines tell followers makes the run of both together, exactly', async t => {
  for (let seed = 1; seed <= 20; seed++) {
    const machines = [machine(seed, 20), machine(1000 + seed, 18)]
    const kept = machines.map(snapshots => {
      const follower = keeper()
      measured([snapshots], follower)
      return follower.told()
    })
    const both = measured(machines)
    const all = new Histogram()
    const merged = kept[0].map((_, i) => {
      const parts = kept.flatMap(told => told[i] ?? [])
      const points = parts.map(({ point }) => point)
      const latency = new Histogram()
      for (const part of parts) if (part.latency !== null) latency.addEncoded(part.latency)
      all.add(latency)
      const sum = key => points.reduce((total, point) => total + point[key], 0)
      const greatest = key => Math.max(...points.map(point => point[key]))
      const round = value => Math.round(value * 1000) / 1000
      return {
        time: points[0].time,
        length: greatest('length'),
        requests: sum('requests'),
        bytes: sum('bytes'),
        non2xx: sum('non2xx'),
        failures: sum('failures'),
        errors: sum('errors'),
        errorCodes: sum('errors') === 0 ? {} : { ECONNRESET: sum('errors') },
        resent: sum('resent'),
        average: round(latency.sum / latency.count / 1000),
        p50: round(latency.percentile(50)),
        p95: round(latency.percentile(95)),
        p99: round(latency.percentile(99)),
        max: round(latency.max / 1000),
        cpu: greatest('cpu'),
        eventLoopUtilization: greatest('eventLoopUtilization'),
        runDelay: greatest('runDelay'),
        blocked: greatest('blocked'),
        verdict: 'healthy'
      }
    })
    t.strictSame(merged, both.series.map(point => ({ ...point, verdict: 'healthy' })), `seed ${seed}`)
    t.strictSame(all.encode(), both.totals.distributions.latency.encode())
  }
})

t.test('a follower hears of a sample what was counted, and of all so far', async t => {
  const snapshots = machine(7, 10)
  let requests = 0
  let ticks = 0
  const { series, totals } = measured([snapshots], {
    tick ({ counter }) { ticks += counter },
    sample ({ point, totals }) {
      requests += point.requests
      t.equal(totals.completed, requests)
    }
  })
  t.strictSame([requests, ticks, series.length], [totals.completed, totals.completed, 5])
})

t.test('a follower that stops the run has the last snapshot come after what it was told of', async t => {
  const [first, second, third, last] = machine(3, 4)
  /** @type {string[]} */
  const told = []
  const followers = new Followers()
  const measurement = new Measurement(INTERVAL, 1, followers)
  followers.add({
    tick ({ counter }) {
      told.push(`tick ${counter}`)
      if (told.length > 1) return
      // A generator in this thread hands it over at once.
      for (const snapshot of [second, third, last]) measurement.add(0, snapshot)
      measurement.end(0)
    },
    sample ({ point }) { told.push(`sample ${point.requests}`) }
  })
  t.ok(measurement.add(0, first), 'a sample has ended')
  const [a, b, c, d] = [first, second, third, last].map(({ completed }) => completed)
  t.strictSame(told, [`tick ${a}`, `tick ${b}`, `sample ${a + b}`, `tick ${c}`, `tick ${d}`, `sample ${c + d}`])
  t.equal(measurement.series.points.reduce((sum, { requests }) => sum + requests, 0), a + b + c + d)
})

t.test('a follower that throws, changes what it gets or makes a promise changes neither the run nor what others hear', async t => {
  const { nextTick } = process
  t.teardown(() => { process.nextTick = nextTick })
  /** @type {Function[]} */
  const later = []
  process.nextTick = /** @type {any} */ (/** @type {Function} */ act) => later.push(act)
  const fault = new Error('of a follower')
  const snapshots = machine(5, 10)
  const [before, after] = [keeper(), keeper()]
  const outcome = measured([snapshots], before, { tick () { throw fault }, sample: () => new Promise(() => {}) }, {
    sample ({ point }) {
      if (later.length === 10) Object.assign(point, { requests: -1 }).errorCodes.ECONNRESET = -1
    }
  })
  process.nextTick = nextTick
  const quiet = measured([machine(5, 10)], after)
  t.equal(later.length, 10, 'one for each tick')
  t.throws(later[0], fault, 'it is thrown outside of the run')
  t.strictSame(before.told(), after.told())
  t.strictSame(outcome.series, quiet.series)
  t.strictSame(outcome.totals, quiet.totals)
})

t.test('a slow follower costs the run no count, and its time is that of the generator', async t => {
  const { url } = await serve(t)
  for (const workers of [undefined, 1]) {
    const instance = new Instance({ url, connections: 2, duration: 0.5, sampleInt: 50, workers })
    let answers = 0
    instance.follow({
      tick ({ counter }) {
        answers += counter
        for (const end = now() + 60; now() < end;);
      }
    })
    const result = await instance
    t.equal(answers, result.requests.total)
    t.equal(result.series.reduce((sum, { requests }) => sum + requests, 0), result.requests.total)
    if (workers === undefined) t.ok(result.generator.blockedMs > 0)
    conserves(t, result)
  }
})
