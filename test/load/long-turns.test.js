'use strict'

const t = require('tap')
const { LongTurns } = require('../../lib/load/long-turns')
const { FakeTime } = require('./fake-load')
const { RunningClock } = require('../../lib/load/running-clock')
const { Timers } = require('../../lib/load/timers')

/** @param {number} [answers] */
function turnsOf (answers = 1) {
  const time = new FakeTime()
  const clock = new RunningClock(() => time.ms)
  const thread = { runDelayMs: 0, read: () => ({ cpuMs: 0, runDelayMs: thread.runDelayMs }) }
  const turns = new LongTurns(clock, /** @type {any} */ (thread), answers, new Timers(time.loop))
  turns.start()
  return { time, thread, turns }
}

t.test('turns that are short block nothing', async t => {
  const { time, turns } = turnsOf()
  time.pass(1000)
  for (let i = 0; i < 100; i++) time.block(11)
  t.strictSame(turns.take(), { blockedMs: 0, lateMs: 0 })
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

t.test('a standstill is not blocked: it is in no figure', async t => {
  const { time, turns } = turnsOf()
  time.pass(1000)
  time.block(3000)
  t.strictSame(turns.take(), { blockedMs: 0, lateMs: 0 })
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
