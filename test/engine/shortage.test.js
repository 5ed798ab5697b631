'use strict'

// Connections that find nothing to connect with, with exact times. test/hostile/descriptors.test.js does it to a process.

const t = require('tap')
const { generatorOf, after, begin, responses } = require('./helpers/fake-load')
const { conserves } = require('../helpers/results/conservation')

/** @param {string} code */
const short = code => Object.assign(new Error(`connect ${code} 127.0.0.1:80`), { code, syscall: 'connect' })

/**
 * Lets connections through as long as fewer than `limit` are open.
 * @param {any} log
 * @param {{ limit: number }} machine
 * @param {string} [code]
 */
function connectWithin (log, machine, code = 'EMFILE') {
  let seen = 0
  /** One turn: each attempt since the last one succeeds or fails. */
  return () => {
    const attempts = log.sockets.slice(seen)
    seen = log.sockets.length
    for (const socket of attempts) {
      const open = log.sockets.filter(other => other.through && !other.destroyed).length
      if (socket.destroyed) continue
      if (open < machine.limit) {
        socket.through = true
        socket.ready(after(5))
      } else socket.emit('error', short(code))
    }
    return attempts.length
  }
}

/** @param {any} log @param {() => number} turn @param {number} ms */
function pass (log, turn, ms) {
  for (let i = 0; i < ms && !log.generator.ended; i++) {
    log.time.pass(1)
    while (turn() > 0);
  }
}

t.test('connections that find no descriptor or port wait for those of others', async t => {
  for (const code of ['EMFILE', 'EADDRNOTAVAIL']) {
    t.test(`and a run by amount is sent whole: ${code}`, async t => {
      const log = generatorOf({ connections: 10, amount: 100, pipelining: 2 })
      const turn = connectWithin(log, { limit: 3 }, code)
      log.generator.start()
      while (turn() > 0);
      pass(log, turn, 5000)
      t.equal(log.ends, 1)
      t.match(log.total, { sent: 100, completed: 100, neverSent: 7, [code]: 7 }, 'one error for each that had to wait')
      conserves(t, log.result(), { neverSent: 7 })
    })
  }

  t.test('and try one at a time, five times a second', async t => {
    const log = generatorOf({ connections: 1000, duration: 10 })
    const turn = connectWithin(log, { limit: 40 })
    log.generator.start()
    while (turn() > 0);
    t.equal(log.attempts.length, 1000)
    pass(log, turn, 2000)
    t.equal(log.attempts.length, 1010)
    t.equal(log.generator.recorder.neverSent + (log.total.neverSent ?? 0), 960, 'no error for trying again')
  })

  t.test('and all come through as soon as there are enough', async t => {
    const log = generatorOf({ connections: 50, duration: 10 })
    const machine = { limit: 10 }
    const turn = connectWithin(log, machine)
    log.generator.start()
    while (turn() > 0);
    machine.limit = 100
    pass(log, turn, 200)
    t.equal(log.sockets.filter(({ destroyed }) => !destroyed).length, 50)
  })

  t.test('and the rate starts with those that are there', async t => {
    const log = generatorOf({ connections: 10, rate: 100, duration: 1 })
    const turn = connectWithin(log, { limit: 3 })
    log.generator.start()
    while (turn() > 0);
    pass(log, turn, 1100)
    const result = log.result()
    t.match(result, { rate: { sent: 100, late: 0, unsent: 0 }, errors: 7 })
    conserves(t, result, { neverSent: 7 })
  })
})

t.test('a run by amount ends although no connection ever finds one', async t => {
  t.test('after the timeout when there is no descriptor: other threads may have given one back', async t => {
    const log = generatorOf({ connections: 4, amount: 20, timeout: 2 })
    const turn = connectWithin(log, { limit: 0 })
    log.generator.start()
    while (turn() > 0);
    pass(log, turn, 1900)
    t.equal(log.ends, 0)
    pass(log, turn, 5000)
    t.equal(log.ends, 1)
    t.match(log.total, { sent: 0, neverSent: 20, EMFILE: 20 })
    conserves(t, log.result(), { neverSent: 20 })
  })

  t.test('at once when the address can not be reached from here', async t => {
    const log = generatorOf({ connections: 4, amount: 4 })
    const turn = connectWithin(log, { limit: 0 }, 'EADDRNOTAVAIL')
    log.generator.start()
    while (turn() > 0);
    t.equal(log.time.ms, 0)
    t.equal(log.ends, 1)
    t.match(log.total, { sent: 0, neverSent: 4, EADDRNOTAVAIL: 4 })
  })
})

t.test('what is to be sent again', async t => {
  /** @param {any} t a connection that waits, with a request that its last server left unanswered */
  function waiting (t) {
    const log = generatorOf({ connections: 2, pipelining: 2, amount: 8, timeout: 1 })
    begin(log)
    log.sockets[0].read(responses(1))
    log.sockets[0].emit('end')
    t.equal(log.sockets.length, 3)
    log.sockets[2].emit('error', short('EMFILE'))
    return log
  }

  t.test('waits with its connection', async t => {
    const log = waiting(t)
    log.time.pass(200)
    const [, other, , again] = log.sockets
    again.ready(after(1))
    other.read(responses(2))
    other.read(responses(2))
    log.time.pass(50)
    t.equal(log.ends, 1)
    t.match(log.total, { sent: 8, completed: 8, failed: 0, neverSent: 1, EMFILE: 1 })
    t.equal(log.totals.resent, 2)
    conserves(t, log.result(), { neverSent: 1 })
  })

  t.test('may time out while it waits, and its connection goes on waiting', async t => {
    const log = waiting(t)
    const fail = () => { for (const socket of log.sockets.slice(2)) if (!socket.destroyed) socket.emit('error', short('EMFILE')) }
    for (let ms = 0; ms < 1500; ms += 50) {
      log.time.pass(50)
      if (!log.sockets[1].destroyed) log.sockets[1].read(responses(log.sockets[1].requests > 2 ? 1 : 0))
      fail()
    }
    log.generator.stop()
    t.ok(log.total.timedOut >= 2)
    const tries = log.attempts.filter((at, i) => i > 2 && at < 1000)
    t.strictSame(tries, [200, 400, 600, 800], 'five times a second, and by one of them only')
    conserves(t, log.result(), { neverSent: log.total.neverSent })
  })
})

t.test('stop() ends those that wait', async t => {
  const log = generatorOf({ connections: 10, amount: 100 })
  const turn = connectWithin(log, { limit: 3 })
  log.generator.start()
  while (turn() > 0);
  log.generator.stop()
  const attempts = log.attempts.length
  log.time.pass(5000)
  t.equal(log.attempts.length, attempts)
  t.ok(log.sockets.every(({ destroyed }) => destroyed))
  conserves(t, log.result(), { neverSent: 7 })
})
