'use strict'

const t = require('tap')
const { Pauses } = require('../../../lib/engine/pacing/pauses')
const { Timers } = require('../../../lib/core/timers')
const { randomFrom } = require('../../../lib/core/random')
const { conserves } = require('../../helpers/results/conservation')
const { ANSWER, FakeTime, after, begin, generatorOf, inOrder } = require('../helpers/fake-load')

t.test('each is woken at its time, the earliest first, by one timer', async t => {
  const random = randomFrom(3)
  const time = new FakeTime()
  const timers = new Timers(time.loop)
  const pauses = new Pauses(() => time.ms, timers)
  /** @type {Array<{ until: number, at: number }>} */
  const woken = []
  let left = 20_000
  const sleeper = {
    wake (until) {
      woken.push({ until, at: time.ms })
      if (left-- > 0) pauses.add(sleeper, until + Math.floor(random() * 1000) / 8 + 0.125)
    }
  }
  for (let i = 0; i < 500; i++) pauses.add(sleeper, random() * 1000)
  while (time.timers.size > 0) {
    t.ok(time.timers.size === 1 || t.fail('more than one timer'))
    time.pass(97)
  }
  t.equal(woken.length, 20_500)
  t.ok(woken.every(({ until, at }) => at >= until && at < until + 2), 'in time')
  t.ok(woken.every(({ at, until }, i) => i === 0 || woken[i - 1].at < at || woken[i - 1].until <= until), 'in order')
  t.equal(pauses.untils.length, 0)
})

t.test('a timer that fires too early wakes no connection', async t => {
  const time = new FakeTime()
  let slow = 0
  const pauses = new Pauses(() => time.ms - slow, new Timers(time.loop))
  const woken = []
  pauses.add({ wake: () => woken.push(time.ms) }, 10)
  slow = 5
  time.pass(12)
  t.strictSame(woken, [])
  time.pass(12)
  t.strictSame(woken, [15])
})

t.test('no connection is woken once the load has ended', async t => {
  const time = new FakeTime()
  const timers = new Timers(time.loop)
  const pauses = new Pauses(() => time.ms, timers)
  const woken = []
  pauses.add({
    wake () {
      woken.push(time.ms)
      timers.stop()
    }
  }, 1)
  pauses.add({ wake: () => woken.push(time.ms) }, 5)
  time.pass(20)
  t.strictSame(woken, [1])
})

/**
 * A run of a recording with requests at these times, ms.
 * @param {number[]} times
 * @param {Record<string, unknown>} opts
 * @param {(log: any) => (socket: any) => void} [serve]
 */
function replay (times, opts, serve = () => after(10)) {
  const entries = times.map((ms, i) => ({ startedDateTime: new Date(ms).toISOString(), request: { method: 'GET', url: `http://localhost/${i}` } }))
  const log = generatorOf({ har: { log: { entries } }, harPauses: true, ...opts })
  begin(log, serve(log))
  return log
}

t.test('a recording keeps its gaps, and the next iteration begins when the last one is answered', async t => {
  const log = replay([5000, 5100, 5100, 5400], { amount: 6 })
  log.time.pass(1000)
  t.strictSame(log.sockets[0].times, [0, 100, 110, 400, 410, 510])
  t.equal(log.result().latency.max, 10, 'pauses are in no latency')
  conserves(t, log.result())
})

t.test('at twice the speed the gaps are half as long, at half the speed twice', async t => {
  for (const [speed, times] of [[2, [0, 50, 200, 210]], [0.5, [0, 200, 800, 810]]]) {
    const log = replay([0, 100, 400], { amount: 4, speed })
    log.time.pass(2000)
    t.strictSame(log.sockets[0].times, times)
    conserves(t, log.result())
  }
})

t.test('what a slow server holds back follows at once, and what is behind it keeps its time', async t => {
  const log = replay([0, 10, 20, 30, 1000], { amount: 6 }, () => after(200))
  log.time.pass(2000)
  t.strictSame(log.sockets[0].times, [0, 200, 400, 600, 1000, 1200])
  conserves(t, log.result())
})

t.test('as many of a recording are in flight as the pipelining allows', async t => {
  const log = replay([0, 10, 20, 30, 1000], { amount: 5, pipelining: 3 }, ({ time }) => inOrder(time, () => 100))
  log.time.pass(2000)
  t.strictSame(log.sockets[0].times, [0, 10, 20, 101, 1000], 'a deep pipeline is refilled 1 ms later')
  conserves(t, log.result())
})

t.test('a request that is sent again waits for no pause: its connection is opened at once', async t => {
  const log = replay([0, 10, 5000], { amount: 4, pipelining: 3, timeout: 1 }, () => () => {})
  log.time.pass(100)
  const [first] = log.sockets
  t.strictSame(first.times, [0, 10])
  first.read(ANSWER)
  first.emit('end')
  t.equal(log.sockets.length, 2)
  log.sockets[1].ready(after(1))
  log.time.pass(6000)
  t.strictSame(log.sockets[1].times, [100, 5000, 5000])
  t.match(log.total, { sent: 4, completed: 4, resent: 1 })
  conserves(t, log.result())
})

t.test('what is late because of a timer is late by that alone', async t => {
  const log = replay([0, 10, 20, 30], { amount: 4 }, () => after(1))
  log.time.pass(5)
  log.time.block(7)
  log.time.pass(100)
  t.strictSame(log.sockets[0].times, [0, 12, 20, 30])
  conserves(t, log.result())
})

t.test('connections are not in step: they begin at places of the recording that are far from each other', async t => {
  const times = Array.from({ length: 100 }, (_, i) => i * 100)
  const log = replay(times, { connections: 10, duration: 3 }, () => after(1))
  log.time.pass(3000)
  const perSecond = [0, 1, 2].map(second => log.sockets.flatMap(({ times }) => times).filter(at => Math.floor(at / 1000) === second).length)
  t.ok(perSecond.every(n => n >= 99 && n <= 102), `from the start on as many as were recorded, by each: ${perSecond}`)
  const starts = log.sockets.map(({ times: [first] }) => first % 100).sort((a, b) => a - b)
  t.ok(starts.every((at, i) => i === 0 || at - starts[i - 1] > 3), `${starts}`)
  conserves(t, log.result())
})

t.test('a recording without gaps is sent as without pauses', async t => {
  const log = replay([7, 7, 7], { amount: 4 })
  log.time.pass(100)
  t.strictSame(log.sockets[0].times, [0, 10, 20, 30])
  conserves(t, log.result())
})

t.test('a Client changes the requests of a recording', async t => {
  const opts = { amount: 4, setupClient: client => { client.setBody('edited') } }
  const log = replay([0, 100, 200], opts)
  log.time.pass(1000)
  t.strictSame(log.sockets[0].times, [0, 100, 200, 210])
  conserves(t, log.result())
  for (const idReplacement of [false, true]) {
    const log = replay([0, 100, 200], { amount: 4, idReplacement, setupClient: client => { client.setRequests([{ path: '/new' }, { path: '/newer' }]) } })
    log.time.pass(1000)
    t.strictSame(log.sockets[0].times, [0, 10, 20, 30], 'its own have no pauses')
    conserves(t, log.result())
  }
})
