'use strict'

// What is counted of each stage. The clock and the server are the test's.

const t = require('tap')
const { conserves } = require('../helpers/results/conservation')
const { randomFrom } = require('../../lib/core/random')
const { Followers } = require('../../lib/follow/followers')
const { Measurement } = require('../../lib/run/measurement')
const { generatorOf, threadsOf, begin, after, inOrder, ANSWER } = require('./helpers/fake-load')

/** @param {ReturnType<typeof generatorOf>} log that has ended */
function resultOf (t, log, expected) {
  t.ok(log.generator.ended)
  const result = log.result()
  conserves(t, result, expected)
  return result
}

t.test('a request belongs to the stage in which it was due, whenever its answer comes', async t => {
  const log = generatorOf({ stages: ['0s:100/s', '1s:100/s', 'peak=1s:200/s', '1s:50/s'], connections: 50 })
  begin(log, after(120))
  log.time.pass(3000)
  const { byStage } = resultOf(t, log)
  t.strictSame(byStage.map(({ name, from, to, target }) => [name, from, to, target]), [
    [undefined, 0, 1, { start: 100, end: 100, unit: 'requests/s' }],
    ['peak', 1, 2, { start: 100, end: 200, unit: 'requests/s' }],
    [undefined, 2, 3, { start: 200, end: 50, unit: 'requests/s' }]
  ])
  t.match(byStage, [
    { rate: { target: 100, achieved: 100, ratio: 1, sent: 100, late: 0, unsent: 0 }, count: 100, failures: 0, unfinished: 0, latency: { totalCount: 100, max: 120 }, statusCodeStats: { 200: { count: 100 } } },
    { rate: { target: 150, achieved: 150, ratio: 1, sent: 150 }, count: 150 },
    { rate: { target: 125, ratio: 1, sent: 125 }, count: 118, fates: { abandoned: 7 }, unfinished: 7 }
  ])
})

t.test('what is due just when a stage begins belongs to that, whatever the clock says', async t => {
  for (const clock of [0, 1005.8962548305072, 3804.0510825237184, 7733.199620956672]) {
    const log = generatorOf({ stages: ['0s:100/s', '0.5s:100/s', '0.5s:200/s', '0s:20/s', '0.5s:20/s'], connections: 50 })
    log.time.ms = clock
    begin(log, after(5))
    log.time.pass(1500)
    const { byStage } = resultOf(t, log)
    t.strictSame(byStage.map(({ rate: { sent } }) => sent), [50, 75, 10])
  }
})

t.test('of arrivals at random, what was due in a stage is counted', async t => {
  const log = generatorOf({ stages: ['0s:50/s', '2s:50/s', '2s:100/s'], arrivals: 'poisson', seed: 3, connections: 50 })
  begin(log, after(5))
  log.time.pass(4000)
  const { byStage } = resultOf(t, log)
  t.ok(byStage.every(({ rate: { target, sent, ratio } }) => target === sent / 2 && ratio > 0.98 && ratio < 1.02), JSON.stringify(byStage.map(({ rate }) => rate)))
  t.ok(byStage[0].rate.target !== 50)
  const skipping = generatorOf({ stages: ['0s:50/s', '1s:50/s', '2s:100/s'], arrivals: 'poisson', seed: 3, connections: 50, skipFirst: 0.5 })
  begin(skipping, after(5))
  skipping.time.pass(3000)
  const [part, whole] = skipping.result().byStage
  t.strictSame([part.rate.target, whole.rate.target], [50, whole.rate.sent / 2], 'of a part of a stage it is the rate')
})

t.test('what the server holds up is sent later, and belongs to its stage all the same', async t => {
  // 100/s of 200/s are answered; then 50/s are due for two seconds, in which the first 100 are caught up with.
  const log = generatorOf({ stages: ['0s:200/s', '1s:200/s', '0s:50/s', '2s:50/s'], connections: 1 })
  begin(log, inOrder(log.time, () => 10))
  log.time.pass(3000)
  const { byStage: [first, second], rate } = resultOf(t, log)
  t.match(first.rate, { target: 200, achieved: 100, ratio: 0.5, sent: 200, unsent: 0 })
  t.match(second.rate, { target: 50, achieved: 100, ratio: 2, sent: 100, unsent: 0 }, 'the server got 50/s more than were due')
  t.ok(first.latency.max > 900 && first.latency.max < 1010, `${first.latency.max} ms`)
  t.equal(rate.sent, 300)
})

t.test('what was due and never sent is unsent in its stage, and its wait is in the latency', async t => {
  const log = generatorOf({ stages: ['0s:100/s', '1s:100/s', '1s:100/s'], connections: 1, timeout: 60 })
  begin(log, () => {})
  log.time.pass(2000)
  const { byStage: [first, second] } = resultOf(t, log)
  t.match([first.rate, second.rate], [{ sent: 1, unsent: 99, achieved: 1 }, { sent: 0, unsent: 100, achieved: 0, ratio: 0 }])
  t.match([first, second], [{ count: 0, fates: { abandoned: 1 }, unfinished: 100 }, { count: 0, unfinished: 100 }])
  t.ok(first.latency.min >= 1000 && second.latency.max <= 1000)
})

t.test('without a rate, a request belongs to the stage in which it was sent', async t => {
  const log = generatorOf({ stages: ['1s:2', '1s:2'], connections: 2, pipelining: 2 })
  begin(log, after(300))
  log.time.pass(2000)
  const { byStage } = resultOf(t, log)
  t.strictSame(byStage.map(({ target, rate }) => [target.unit, rate]), [['connections', undefined], ['connections', undefined]])
  // Sent at 0, 300, 600 and 900, and at 1,200, 1,500 and 1,800 ms.
  t.strictSame(byStage.map(({ count, fates }) => [count, fates.sent, fates.abandoned]), [[16, 16, 0], [8, 12, 4]])
})

t.test('connections are those that are open as a stage ends, wherever the samples end', async t => {
  // The second jump comes with the end of a sample, the others in the middle of one.
  for (const [lengths, skipFirst] of [[[1600, 400, 700, 600]], [[600, 400, 900, 300]], [[1600, 400, 700, 600], 1]]) {
    const counts = [5, 2, 7, 3]
    const log = generatorOf({ stages: counts.flatMap((count, i) => [`0s:${count}`, `${lengths[i]}ms:${count}`]), skipFirst })
    begin(log, after(10))
    for (let known = log.sockets.length; !log.generator.ended; log.time.pass(10)) for (; known < log.sockets.length; known++) log.sockets[known].ready(after(10))
    const { byStage } = resultOf(t, log)
    t.strictSame(byStage.map(({ connections }) => connections), counts, `${lengths}`)
  }
  const rate = generatorOf({ stages: Array.from({ length: 500 }, () => '10ms:100/s'), connections: 2 })
  begin(rate, after(10))
  rate.time.pass(5000)
  t.ok(rate.generator.ended && rate.generator.recorder.instruments.stages.spare.length < 200, 'stages of a rate cost nothing for it: those of a sample are kept')
  const stopped = generatorOf({ stages: ['0s:4', '1s:4', '1s:2', '1s:3'], sampleInt: 100 })
  begin(stopped, after(10))
  stopped.time.pass(1700)
  stopped.generator.stop()
  t.strictSame(resultOf(t, stopped).byStage.map(({ connections }) => connections), [4, 3, undefined], 'one that has not begun has none')
})

t.test('timeouts, broken connections, statuses and failed connects are in the stage that they belong to', async t => {
  const log = generatorOf({ stages: ['0s:10/s', '1s:10/s', '1s:10/s', '1s:10/s'], connections: 10, timeout: 0.5 })
  let n = 0
  const answer = status => Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`)
  const serve = socket => {
    const i = n++
    if (i === 9) return
    log.time.loop.setTimeout(() => {
      if (socket.destroyed) return
      if (i === 12) {
        // Inside a response, so that the request is not sent again.
        socket.read(Buffer.from('H'))
        socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
      } else socket.read(answer(i === 15 ? 503 : 200))
    }, 10)
  }
  begin(log, serve)
  // The connection that broke is made again, in vain at first, in the second stage.
  for (let known = log.sockets.length; !log.generator.ended; log.time.pass(10)) {
    for (; known < log.sockets.length; known++) {
      if (known === 11) log.sockets[known].emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
      else log.sockets[known].ready(serve)
    }
  }
  const { byStage } = resultOf(t, log, { neverSent: 1 })
  t.strictSame(byStage.map(({ count, errors, timeouts, failures, errorCodes }) => ({ count, errors, timeouts, failures, errorCodes })), [
    { count: 9, errors: 1, timeouts: 1, failures: 1, errorCodes: { AC_TIMEOUT: 1 } },
    { count: 9, errors: 2, timeouts: 0, failures: 3, errorCodes: { ECONNREFUSED: 1, ECONNRESET: 1 } },
    { count: 10, errors: 0, timeouts: 0, failures: 0, errorCodes: {} }
  ])
  t.strictSame(byStage[1].statusCodeStats, { 200: { count: 8 }, 503: { count: 1 } })
})

t.test('with pipelining, what is behind a request that takes too long fails in its own stage', async t => {
  const log = generatorOf({ stages: ['0s:2/s', '1s:2/s', '1s:2/s'], connections: 1, pipelining: 5, timeout: 0.8 })
  begin(log, () => {})
  log.time.pass(850)
  // Due at 0 and 500 ms: the first takes too long, the second is lost behind it.
  log.sockets.at(-1).ready(after(10))
  log.time.pass(1150)
  const { byStage } = resultOf(t, log)
  t.strictSame(byStage.map(({ count, errorCodes }) => [count, errorCodes]), [[0, { AC_TIMEOUT: 1, AC_BEHIND_TIMEOUT: 1 }], [2, {}]])
})

t.test('a request that is sent again stays in its stage', async t => {
  const log = generatorOf({ stages: ['1s:1', '1s:1'], connections: 1, pipelining: 2 })
  begin(log)
  const [socket] = log.sockets
  log.time.pass(900)
  socket.read(ANSWER)
  socket.emit('end')
  log.time.pass(300)
  t.equal(log.sockets.length, 2)
  log.sockets[1].ready(after(50))
  log.time.pass(10)
  log.sockets[1].read(ANSWER)
  log.time.pass(790)
  const { byStage, resent } = resultOf(t, log)
  t.equal(resent, 2)
  t.match(byStage[0], { count: 3, latency: { max: 1210 } })
})

t.test('with skipFirst, stages before the figures are empty but for what outlasts them', async t => {
  const log = generatorOf({ stages: ['0s:100/s', '1s:100/s', '1s:100/s', '1s:100/s'], connections: 50, skipFirst: 1.5 })
  begin(log, after(120))
  log.time.pass(3000)
  const result = resultOf(t, log, { arrived: 300 - 138 })
  t.strictSame(result.byStage.map(({ from, to, count, fates, rate }) => [from, to, count, fates.sent, rate?.ratio]), [
    [0, 0, 0, 0, null],
    [0, 0.5, 62, 62, 1],
    [0.5, 1.5, 88, 100, 1]
  ])
  const slow = generatorOf({ stages: ['0s:100/s', '1s:100/s', '1s:100/s'], connections: 1, skipFirst: 1 })
  begin(slow, inOrder(slow.time, () => 20))
  slow.time.pass(2000)
  const { byStage: [before, rest] } = resultOf(t, slow, { arrived: 50 + 1 })
  t.match(before, { from: 0, to: 0, count: 50, rate: { target: null, achieved: null, ratio: null, sent: 51, late: 50 } }, 'what was due before and is sent later is in the figures, as in those of the run')
  t.match(rest.rate, { sent: 0, unsent: 100, achieved: 50, target: 100 })
})

t.test('a run that ends early has stages that it did not come to', async t => {
  const log = generatorOf({ stages: ['1s:1', '1s:1', '1s:1'], connections: 1 })
  begin(log, after(100))
  log.time.pass(1500)
  log.generator.stop()
  const { byStage } = resultOf(t, log)
  t.strictSame(byStage.map(({ from, to, count }) => [from, to, count]), [[0, 1, 10], [1, 1.5, 5], [1.5, 1.5, 0]])
})

t.test('with excludeErrorStats only 2xx answers are in the latency of a stage', async t => {
  const log = generatorOf({ stages: ['1s:1'], connections: 1, excludeErrorStats: true })
  let n = 0
  begin(log, socket => {
    const slow = n++ % 2 === 1
    log.time.loop.setTimeout(() => { if (!socket.destroyed) socket.read(slow ? Buffer.from('HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n') : ANSWER) }, slow ? 150 : 50)
  })
  log.time.pass(1000)
  const { byStage: [stage] } = log.result()
  t.match(stage, { count: 9, failures: 4, latency: { totalCount: 5, max: 50 }, bytes: 5 * ANSWER.length })
})

t.test('whatever happens, the stages together are the run', async t => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomFrom(seed)
    const paced = random() < 0.6
    const log = generatorOf({
      stages: Array.from({ length: 1 + random() * 4 | 0 }, () => `${200 + random() * 800 | 0}ms:${paced ? `${1 + random() * 300 | 0}/s` : 3}`),
      connections: 3,
      pipelining: 1 + random() * 3 | 0,
      timeout: 0.3,
      sampleInt: 100 + random() * 500 | 0,
      ...random() < 0.3 && { skipFirst: 0.1 }
    })
    const broken = { code: 'ECONNRESET' }
    log.generator.start()
    const seen = new Set()
    for (let ms = 0; ms < 6000 && !log.generator.ended; ms += 5) {
      for (const socket of log.sockets) {
        if (seen.has(socket)) continue
        seen.add(socket)
        if (random() < 0.15) socket.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
        else {
          socket.ready(one => {
            const what = random()
            if (what < 0.9) {
              log.time.loop.setTimeout(() => {
                if (one.destroyed) return
                if (what < 0.05) one.emit(what < 0.02 ? 'end' : 'error', what < 0.02 ? null : Object.assign(new Error('reset'), broken))
                else one.read(ANSWER)
              }, 1 + random() * 60)
            }
          })
        }
      }
      log.time.pass(5)
    }
    t.ok(log.generator.ended, `seed ${seed}`)
    const result = log.result()
    conserves(t, result, { neverSent: log.totals.neverSent, arrived: result.requests.sent + result.resent })
  }
})

t.test('a stage is complete once all generators have passed it, and nothing of it is in flight or waits to be sent', async t => {
  const logs = threadsOf({ stages: ['0s:100/s', '1s:100/s', '1s:100/s'], connections: 4, pace: 'batched', sampleInt: 100, timeout: 5 }, 2)
  const { time, generator: { plan } } = logs[0]
  const measurement = new Measurement(100, 2, new Followers(), plan.stages)
  for (const [i, { generator }] of logs.entries()) {
    generator.samples.needs.report = snapshot => { measurement.add(i, snapshot) }
    generator.sinks.end = () => { measurement.end(i) }
    generator.sinks.waiting = () => {}
  }
  // The second of them has an answer only after 1.5 s.
  let slow = true
  const serve = i => socket => time.at(i === 1 && slow && !(slow = false) ? 1500 : time.ms + 10, () => { if (!socket.destroyed) socket.read(ANSWER) })
  for (const [i, log] of logs.entries()) begin(log, serve(i))
  for (const { generator } of logs) generator.beginAt(0)
  const seen = []
  for (let ms = 0; ms < 2000; ms += 100) {
    time.pass(100)
    const { complete, tally, figures } = measurement.stage(0)
    seen.push([ms + 100, complete, tally.inFlight === 0 && figures.count])
  }
  t.strictSame(seen.find(([, complete]) => complete), [1600, true, 100], 'at the end of the next sample')
  t.equal(seen.filter(([ms]) => ms >= 1100 && ms <= 1500).every(([, complete, count]) => !complete && count === 99), true)
  const { complete, figures } = measurement.stage(1)
  t.ok(complete, 'all generators have ended')
  t.match(figures, { from: 1, to: 2, rate: { target: 100, sent: 100 } })
})
