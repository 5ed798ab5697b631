'use strict'

// Connections that are opened in turns of the event loop, with exact times: a slow connect blocks neither timers nor what has arrived.

const t = require('tap')
const { Opening } = require('../../lib/engine/opening')
const { Timers } = require('../../lib/core/timers')
const { conserves } = require('../helpers/results/conservation')
const { FakeTime, after, generatorOf } = require('./helpers/fake-load')

/** Connections of which each takes so many ms to open. */
function slow (time, count, ms) {
  const opened = []
  const list = Array.from({ length: count }, (_, i) => ({
    ended: false,
    open () {
      opened.push([i, time.turns])
      time.ms += ms
    }
  }))
  /** How many were opened in each turn. */
  const byTurn = () => [...new Set(opened.map(([, turn]) => turn))].map(turn => opened.filter(one => one[1] === turn).length)
  return { list, opened, byTurn }
}

t.test('one turn opens connections for 5 ms, in their order', async t => {
  for (const [ms, byTurn] of [[0, [7]], [1, [5, 2]], [2, [3, 3, 1]], [50, [1, 1, 1, 1, 1, 1, 1]]]) {
    const time = new FakeTime()
    const { list, opened, byTurn: turns } = slow(time, 7, ms)
    new Opening(() => time.ms, new Timers(time.loop)).add(list)
    time.pass(1000)
    t.strictSame([opened.map(([i]) => i), turns()], [[0, 1, 2, 3, 4, 5, 6], byTurn], `${ms} ms each`)
  }
})

t.test('what is added one by one shares the turn', async t => {
  const time = new FakeTime()
  const { list, byTurn } = slow(time, 10, 2)
  const opening = new Opening(() => time.ms, new Timers(time.loop))
  for (const one of list) opening.add([one])
  t.strictSame(byTurn(), [3])
  time.pass(1000)
  t.strictSame(byTurn(), [3, 3, 3, 1])
  // Later, it is opened at once.
  const more = slow(time, 1, 2)
  opening.add(more.list)
  t.equal(more.opened.length, 1)
})

t.test('as long as all else took since the last turn, at most 50 ms', async t => {
  const time = new FakeTime()
  const { list, byTurn } = slow(time, 50, 2)
  new Opening(() => time.ms, new Timers(time.loop)).add(list)
  for (const ms of [4, 10, 30, 300]) {
    time.ms += ms
    time.turn()
  }
  t.strictSame(byTurn(), [3, 3, 5, 15, 24])
})

t.test('a connection that has ended meanwhile is not opened, and none is once the run is stopped', async t => {
  const time = new FakeTime()
  const timers = new Timers(time.loop)
  const { list, opened } = slow(time, 9, 5)
  const opening = new Opening(() => time.ms, timers)
  opening.add(list)
  list[1].ended = true
  time.turn()
  t.strictSame(opened.map(([i]) => i), [0, 2])
  timers.stop()
  time.turn()
  opening.add(slow(time, 1, 5).list)
  time.pass(100)
  t.equal(opened.length, 2)
})

t.test('a run whose connects are slow: responses are read, and timers fire, while the others are opened', async t => {
  const log = generatorOf({ connections: 100, amount: 2000 })
  const { connect } = log.generator.shared
  log.generator.shared.connect = (...given) => {
    log.time.ms += 3
    return connect(...given)
  }
  const timer = []
  log.time.loop.setTimeout(() => timer.push(log.sockets.length), 20)
  log.generator.start()
  t.equal(log.sockets.length, 2, 'in the first turn')
  let most = 0
  for (let before = 2; log.sockets.length < 100; before = log.sockets.length) {
    for (const socket of log.sockets.filter(({ serve, destroyed }) => serve === null && !destroyed)) socket.ready(after(1))
    log.time.turn()
    log.time.pass(0)
    most = Math.max(most, log.sockets.length - before)
  }
  t.ok(most <= 4, `${most} connections in a turn`)
  t.ok(timer[0] < 20, `a timer of 20 ms fired beside ${timer[0]} connections`)
  t.ok(log.generator.recorder.sent > 100, 'the first ones go on')
  for (let i = 0; i < 1000 && !log.generator.ended; i++) {
    log.sockets.filter(({ serve, destroyed }) => serve === null && !destroyed).forEach(socket => socket.ready(after(1)))
    log.time.pass(1)
  }
  const result = log.result()
  conserves(t, result)
  t.equal(result['2xx'], 2000)
})

t.test('connections that a server closes together are opened again in several turns', async t => {
  const log = generatorOf({ connections: 100, amount: 1000 })
  log.generator.start()
  for (const socket of log.sockets) socket.ready(after(1))
  log.time.pass(1)
  const { connect } = log.generator.shared
  log.generator.shared.connect = (...given) => {
    log.time.ms += 3
    return connect(...given)
  }
  const { turns } = log.time
  for (const socket of [...log.sockets]) socket.emit('end')
  let most = 0
  for (let before = 100; log.sockets.length < 200 && log.time.turns < turns + 1000; before = log.sockets.length) {
    log.time.turn()
    most = Math.max(most, log.sockets.length - before)
  }
  t.ok(log.time.turns > turns, 'others have their turn')
  t.ok(most <= 17, `${most} connections in a turn`)
  log.generator.stop()
  log.time.pass(1000)
  conserves(t, log.result())
})

t.test('a run that is stopped between two turns', async t => {
  const log = generatorOf({ connections: 100 })
  const { connect } = log.generator.shared
  log.generator.shared.connect = (...given) => {
    log.time.ms += 3
    return connect(...given)
  }
  log.generator.start()
  log.time.turn()
  log.generator.stop()
  log.time.pass(1000)
  t.equal(log.sockets.length, 4)
  conserves(t, log.result())
})
