'use strict'

const t = require('tap')
const { ConnectionError } = require('../../lib/core/errors')
const { Recorder } = require('../../lib/record/recorder')
const { SuccessRecorder } = require('../../lib/record/success-recorder')
const { Totals } = require('../../lib/record/totals')

const nobody = { response: null, requestError: null, mismatch: null }
const error = new ConnectionError('AC_CLOSED')

t.test('a recorder', async t => {
  t.test('hands over what was counted since the last time', async t => {
    const recorder = new Recorder()
    recorder.sent += 7
    recorder.complete(200, 50, 1, 1, 1)
    recorder.complete(200, 50, 3, 3, 3)
    recorder.complete(503, 50, 2, 2, 2)
    recorder.timeOut(new ConnectionError('AC_TIMEOUT'), 100, 100, nobody)
    recorder.fail(error, nobody)
    recorder.failUnsent(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 4, nobody)
    recorder.abandoned += 2
    recorder.bytes += 150

    const first = recorder.take(0, 1000, 0)
    t.match(first, {
      from: 0,
      to: 1000,
      sample: 0,
      sent: 7,
      completed: 3,
      timedOut: 1,
      failed: 1,
      abandoned: 2,
      neverSent: 4,
      bytes: 150
    })
    t.strictSame(first.statuses, { 200: 2, 503: 1 })
    t.strictSame(first.errorCodes, { AC_TIMEOUT: 1, AC_CLOSED: 1, ECONNREFUSED: 4 })
    t.match(first.distributions.latency.summary(), { totalCount: 4, min: 1, max: 100 }, 'a request that timed out is in it, one that failed is not')

    recorder.complete(204, 0, 5, 5, 5)
    t.equal(first.distributions.latency.count, 4, 'what was handed over stays as it is while counting goes on')
    const second = recorder.take(1000, 2000, 1)
    t.match(second, { from: 1000, to: 2000, sample: 1, sent: 0, completed: 1, timedOut: 0, failed: 0, abandoned: 0, neverSent: 0, bytes: 0 })
    t.strictSame(second.statuses, { 204: 1 })
    t.strictSame(second.errorCodes, {})
    t.match(second.distributions.latency.summary(), { totalCount: 1, min: 5 })
  })

  t.test('keeps the distributions of what is measured apart', async t => {
    const recorder = new Recorder()
    recorder.complete(200, 50, 40, 10, 5)
    recorder.complete(200, 50, 7, 7, 7)
    recorder.complete(200, 50, 7, 7, 6)
    recorder.complete(200, 50, 8, 7, 7)
    recorder.timeOut(new ConnectionError('AC_TIMEOUT'), 130, 100, nobody)
    recorder.timeOut(new ConnectionError('AC_TIMEOUT'), 120, 120, nobody)
    recorder.distributions.current.lag.record(2)
    recorder.distributions.current.connect.record(3)
    const { distributions } = recorder.take(0, 1, 0)
    t.strictSame(Object.fromEntries(Object.entries(distributions).map(([name, { count, sum }]) => [name, [count, sum / 1000]])), {
      latency: [6, 312],
      serviceTime: [6, 251],
      ttfb: [4, 25],
      connect: [1, 3],
      lag: [1, 2],
      late: [0, 0]
    })
  })

  t.test('keeps the distributions of many short samples until they are asked for', async t => {
    const recorder = new Recorder()
    recorder.complete(200, 50, 1, 1, 1)
    const first = recorder.take(0, 10, 0, undefined, false)
    t.match(first, { completed: 1, distributions: null })
    recorder.complete(200, 50, 2, 2, 2)
    const second = recorder.take(10, 20, 1)
    t.equal(second.completed, 1)
    t.match(second.distributions.latency.summary(), { totalCount: 2, min: 1, max: 2 })
    t.equal(recorder.take(20, 30, 2).distributions.latency.count, 0)
  })

  t.test('knows the mean latency of all that was counted, handed over or not', async t => {
    const recorder = new Recorder()
    t.equal(recorder.distributions.mean, 0)
    for (const [ms, serviceMs, mean] of [[10, 10, 10], [20, 5, 15], [60, 60, 30]]) {
      recorder.complete(200, 50, ms, serviceMs, serviceMs)
      t.equal(recorder.distributions.mean, mean)
      recorder.take(0, 1, 0)
      t.equal(recorder.distributions.mean, mean, 'after it was handed over')
    }
    recorder.complete(200, 50, 50, 1, 1)
    recorder.complete(200, 50, 60, 60, 60)
    t.equal(recorder.distributions.mean, 40)
  })

  t.test('counts what a request has suffered unless it is younger than the mean answer', async t => {
    for (const [RecorderOf, ms, mean, count] of [[Recorder, 39.999, 40, 0], [Recorder, 40, 40, 1], [Recorder, 1, 0, 1], [Recorder, 1000, 40, 1], [SuccessRecorder, 1000, 40, 0]]) {
      const recorder = new RecorderOf()
      recorder.recordPendingPaced(ms, mean)
      const { latency, serviceTime } = recorder.take(0, 1, 0).distributions
      t.strictSame([latency.count, latency.sum, serviceTime.count], [count, count * ms * 1000, 0], `${ms} ms against ${mean} ms: ${RecorderOf.name}`)
    }
  })

  t.test('leaves out of the distributions what is no 2xx, with excludeErrorStats', async t => {
    const recorder = new SuccessRecorder()
    for (const [status, ms] of [[200, 1], [204, 2], [299, 3], [199, 10], [300, 20], [500, 30]]) {
      recorder.complete(status, 50, ms, ms, ms)
    }
    recorder.timeOut(new ConnectionError('AC_TIMEOUT'), 1000, 900, nobody)
    const snapshot = recorder.take(0, 1, 0)
    t.match(snapshot, { completed: 6, timedOut: 1, bytes: 150 })
    for (const name of ['latency', 'serviceTime', 'ttfb']) t.match(snapshot.distributions[name], { count: 3, sum: 6000, max: 3000 }, name)
  })

  t.test('counts an error without a code under its name', async t => {
    const recorder = new Recorder()
    recorder.fail(new RangeError('?'), nobody)
    t.strictSame(recorder.take(0, 1, 0).errorCodes, { RangeError: 1 })
  })

  t.test('reports each error while there is a listener', async t => {
    const recorder = new Recorder()
    const told = []
    const observer = { response: null, requestError: error => told.push(error.code), mismatch: null }
    recorder.fail(error, observer)
    recorder.fail(error, nobody)
    recorder.failUnsent(error, 3, observer)
    recorder.timeOut(error, 1, 1, observer)
    t.equal(told.length, 5)
    t.strictSame(recorder.take(0, 1, 0).errorCodes, { AC_CLOSED: 6 })
  })
})

t.test('totals', async t => {
  const one = (change = () => {}) => {
    const recorder = new Recorder()
    change(recorder)
    return { recorder, snapshot: recorder.take(0, 1000, 0) }
  }
  const parts = [
    one(recorder => {
      recorder.sent += 3
      recorder.complete(200, 50, 1, 1, 1)
      recorder.complete(404, 50, 2, 2, 2)
      recorder.fail(error, nobody)
    }),
    one(),
    one(recorder => {
      recorder.sent += 2
      recorder.bytes += 99
      recorder.abandoned++
      recorder.complete(200, 50, 10, 10, 10)
    })
  ]

  for (const order of [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) {
    t.test(`are the sum of the snapshots in the order ${order}`, async t => {
      const totals = new Totals()
      for (const i of order) totals.add(parts[i].snapshot)
      t.match(totals, { sent: 5, completed: 3, timedOut: 0, failed: 1, abandoned: 1, neverSent: 0, bytes: 99 })
      t.strictSame(totals.statuses, { 200: 2, 404: 1 })
      t.strictSame(totals.errorCodes, { AC_CLOSED: 1 })
      t.match(totals.distributions.latency.summary(), { totalCount: 3, min: 1, max: 10 })
    })
  }
})

t.test('what every run measures hears of errors and samples, too', async t => {
  const { INSTRUMENTS } = require('../../lib/instruments')
  const { Live } = INSTRUMENTS.checks.record()
  /** @type {any[]} */
  const heard = []
  Object.assign(Live.prototype, { onSample: () => heard.push('sample'), onError: (/** @type {string} */ code) => heard.push(code) })
  t.teardown(() => { for (const name of ['onSample', 'onError']) delete Live.prototype[name] })
  const recorder = new Recorder()
  recorder.fail(error, nobody)
  recorder.take(0, 1, 0)
  t.strictSame(heard, ['AC_CLOSED', 'sample'])
})
