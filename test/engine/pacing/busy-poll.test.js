'use strict'

// When an even pace wakes a connection, with a clock, timers and turns that the test holds in its hands.

const t = require('tap')
const { RunningClock } = require('../../../lib/engine/pacing/running-clock')
const { Timers } = require('../../../lib/core/timers')
const { BusyPoll } = require('../../../lib/engine/pacing/busy-poll')
const { randomFrom } = require('../../../lib/core/random')
const { FakeTime, TURN } = require('../helpers/fake-load')

/** Turns that wait for each of the times in turn. */
function waitFor (dues) {
  const time = new FakeTime()
  const clock = new RunningClock(() => time.ms)
  const timers = new Timers(time.loop)
  const turns = new BusyPoll(clock, timers, ms => {
    waits.push(ms)
    time.ms += ms + world.stolen
  }, () => world.quiet)
  // As the sweep of a generator: without it a long sleep would be a stall.
  timers.every(() => 100, clock.now)
  const woken = []
  const waits = []
  /** Whether there is room for what is due. */
  const world = { time, clock, timers, turns, woken, room: true, quiet: false, waits, /** How much longer a wait takes than it is to. */ stolen: 0, onWake: () => {} }
  turns.start(() => (dues[woken.length] ?? Infinity) - clock.now(), () => {
    world.onWake()
    while (world.room && dues[woken.length] <= clock.now()) woken.push(clock.now())
  })
  return world
}

/** @param {number} interval */
const every = (interval, n) => Array.from({ length: n }, (_, i) => (i + 1) * interval)

t.test('what is due is done in the next turn, and never before', async t => {
  const random = randomFrom(5)
  const gaps = [0, 0.0005, 0.02, 0.05, 0.3, 1, 1.9, 2, 2.1, 3.3, 7, 100, 5000]
  let at = 0
  const dues = Array.from({ length: 500 }, () => (at += gaps[Math.floor(random() * gaps.length)] * (0.5 + random())))
  const { time, woken } = waitFor(dues)
  time.pass(at + 1)
  t.equal(woken.length, dues.length)
  const late = woken.map((at, i) => at - dues[i])
  t.ok(Math.min(...late) >= 0)
  t.ok(Math.max(...late) <= 1.01 * TURN, `${Math.max(...late)} ms`)
})

t.test('a turn waits for 3 µs, and for 0.1 ms while nothing is in flight, but never beyond what is due', async t => {
  for (const [quiet, most] of [[false, 0.003], [true, 0.1]]) {
    const world = waitFor([1.25, 1.26, 1.5])
    world.quiet = quiet
    world.time.pass(1.6)
    t.ok(world.woken.every((at, i) => at >= [1.25, 1.26, 1.5][i] && at < [1.25, 1.26, 1.5][i] + 1.01 * TURN), world.woken.join(' '))
    t.equal(world.woken.length, 3)
    t.equal(Math.max(...world.waits), most)
    t.ok(world.time.turns < 1.5 / most + 10, `${world.time.turns} turns`)
  }
})

t.test('no connection is woken in the turn that starts it', async t => {
  const world = waitFor([0])
  t.strictSame(world.woken, [])
  world.time.pass(TURN)
  t.strictSame(world.woken, [TURN])
})

t.test('the loop turns only while something is due soon; a timer sleeps before', async t => {
  for (const [interval, n, most] of [[100, 20, 2.01], [10, 20, 2.01], [1000 / 300, 100, 2.01], [1, 100, 1]]) {
    const { time } = waitFor(every(interval, n))
    time.pass(interval * n)
    t.ok(time.turns * TURN / n <= most, `every ${interval} ms: ${time.turns * TURN / n} ms of turns each`)
    t.ok(time.turns * TURN / n >= 0.2)
  }
})

t.test('a timer that comes 1 ms late is early enough', async t => {
  const { time, woken } = waitFor(every(50, 10))
  for (let ms = 0; ms < 500; ms++) {
    // Each fires at the end of its ms, as behind an answer that has been read in it.
    time.pass(0.999)
    time.ms += 0.001
  }
  time.pass(1)
  t.ok(woken.every((at, i) => at - 50 * (i + 1) < 1.01 * TURN), woken.join(' '))
})

t.test('what is overdue without room is looked at in each turn, and once per ms when that goes on', async t => {
  const world = waitFor(every(1, 1000))
  world.room = false
  world.time.pass(10)
  t.ok(world.time.turns > 5000)
  const { turns } = world.time
  world.time.pass(500)
  t.ok(world.time.turns - turns < 1100, 'the first 10 ms after the due time, and no more')
  world.room = true
  world.time.pass(1.01)
  t.equal(world.woken.length, 511)
  world.time.pass(100)
  t.ok(world.woken.slice(520).every((at, i) => at - (521 + i) < 1.01 * TURN), 'then it is even again')
})

t.test('it stops for good, as often as it is told to, also while it wakes', async t => {
  for (const when of ['turning', 'sleeping', 'waking']) {
    const world = waitFor(when === 'sleeping' ? [500] : every(1, 100))
    const stop = () => {
      world.turns.stop()
      world.turns.stop()
      world.timers.stop()
    }
    if (when === 'waking') world.onWake = () => { if (world.woken.length === 5) stop() }
    world.time.pass(10.5)
    if (when !== 'waking') stop()
    const { length } = world.woken
    world.time.pass(1000)
    t.ok(world.woken.length <= length + (when === 'waking' ? 1 : 0), when)
    t.strictSame([world.time.immediates.size, world.time.timers.size], [0, 0], 'nothing keeps the process alive')
  }
})

t.test('turns that only wait are idle time', async t => {
  t.test('all of them when nothing else happens', async t => {
    const { time, turns } = waitFor(every(1, 100))
    time.pass(100.5)
    const idle = turns.takeIdleMs()
    t.ok(Math.abs(idle - 100) < 0.2, `${idle} ms`)
    t.equal(turns.takeIdleMs(), 0, 'each is told once')
  })

  t.test('not the one in which other code has read the clock, to read or to write', async t => {
    const { time, turns, clock } = waitFor([1000])
    time.pass(998.9)
    turns.takeIdleMs()
    for (let i = 0; i < 100; i++) {
      time.ms += 0.005
      clock.now()
      time.ms += 0.005
      time.pass(TURN)
    }
    // What the turn itself has waited, and its own.
    t.ok(turns.takeIdleMs() <= 101 * (TURN + 0.003))
  })

  t.test('not a long one: it did something for others, or had no core', async t => {
    const { time, turns } = waitFor([1000])
    time.pass(999)
    turns.takeIdleMs()
    time.ms += 0.5
    time.pass(0.01)
    t.ok(turns.takeIdleMs() <= 0.015)
  })

  t.test('not one whose wait took longer than it was to', async t => {
    const world = waitFor([1000])
    world.time.pass(999)
    world.turns.takeIdleMs()
    world.stolen = 5
    world.time.pass(TURN)
    t.ok(world.turns.takeIdleMs() <= TURN)
  })

  t.test('not the sleep', async t => {
    const { time, turns } = waitFor(every(100, 10))
    time.pass(1000)
    t.ok(turns.takeIdleMs() <= 20)
  })
})
