'use strict'

const t = require('tap')
const { LongTurns } = require('../../../lib/engine/health/long-turns')
const { FakeTime } = require('../helpers/fake-load')
const { RunningClock } = require('../../../lib/engine/pacing/running-clock')
const { Timers } = require('../../../lib/core/timers')

/** @param {number} [answers] */
function turnsOf (answers = 1) {
  const time = new FakeTime()
  const clock = new RunningClock(() => time.ms)
  const thread = { runDelayMs: 0, slices: 0, read: () => ({ cpuMs: 0, runDelayMs: thread.runDelayMs, slices: thread.slices }) }
  const turns = new LongTurns(clock, /** @type {any} */ (thread), answers, new Timers(time.loop))
  turns.start()
  return { time, thread, turns }
}

t.test('turns that are short block nothing', async t => {
  const { time, turns } = turnsOf()
  time.pass(1000)
  for (let i = 0; i < 100; i++) time.block(11)
  t.strictSame(turns.take(), { blockedMs: 0, lateMs: 0, waits: { ms: 0, squares: 0 } })
})

t.test('long turns count with what they took, wherever between two looks they began', async t => {
  let sum = 0
  for (let phase = 0; phase < 10; phase++) {
    const { time, turns } = turnsOf()
    time.pass(1000 + phase)
    time.block(100)
    time.pass(50)
    sum += turns.take().blockedMs
    t.equal(turns.take().blockedMs, 0, 'counted once')
  }
  t.ok(Math.abs(sum / 10 - 100) <= 1, `${sum / 10} of 100 ms`)
})

t.test('what the thread waited for a core is not blocked', async t => {
  const { time, thread, turns } = turnsOf()
  time.pass(1000)
  thread.runDelayMs += 95
  time.block(100)
  t.ok(turns.take().blockedMs <= 5)
})

t.test('a stall is not blocked: it is in no figure', async t => {
  const { time, turns } = turnsOf()
  time.pass(1000)
  time.block(3000)
  t.strictSame(turns.take(), { blockedMs: 0, lateMs: 0, waits: { ms: 0, squares: 0 } })
})

t.test('a turn may be as long as it takes to read all answers that may come at once', async t => {
  const { time, turns } = turnsOf(2000)
  time.pass(1000)
  time.block(150)
  t.equal(turns.take().blockedMs, 0)
  time.block(300)
  t.ok(turns.take().blockedMs > 280)
})

t.test('the share of looks that come late is known without the system', async t => {
  const { time, turns } = turnsOf()
  for (let i = 0; i < 50; i++) {
    time.pass(10)
    time.block(13)
  }
  const { lateMs } = turns.take()
  t.equal(lateMs, 500)
  t.ok(turns.lag().max >= 2.9)
})

t.test('what waited between two looks is one wait, without what it takes to wake up', async t => {
  const { time, thread, turns } = turnsOf()
  for (let i = 0; i < 10; i++) time.pass(10)
  turns.take()
  const wait = (/** @type {number} */ ms, /** @type {number} */ slices) => {
    thread.runDelayMs += ms
    thread.slices += slices
    time.pass(10)
  }
  wait(4, 0)
  wait(4.6, 20)
  wait(0.5, 100)
  const { waits } = turns.take()
  t.match({ ms: Math.round(waits.ms * 10) / 10, squares: Math.round(waits.squares) }, { ms: 8, squares: 32 }, '4 ms twice; 100 changes of processes are none')
  t.strictSame(turns.take().waits, { ms: 0, squares: 0 }, 'counted once')
})

t.test('where the system does not tell there are no waits', async t => {
  const time = new FakeTime()
  const turns = new LongTurns(new RunningClock(() => time.ms), /** @type {any} */ ({ read: () => ({ cpuMs: 0, runDelayMs: null, slices: 0 }) }), 1, new Timers(time.loop))
  turns.start()
  time.pass(100)
  t.equal(turns.take().waits, null)
})
