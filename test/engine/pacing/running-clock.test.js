'use strict'

const t = require('tap')
const { RunningClock } = require('../../../lib/engine/pacing/running-clock')

/** @param {number} [ms] */
function clockAt (ms = 0) {
  const real = { ms }
  return { real, clock: new RunningClock(() => real.ms) }
}

t.test('the time runs like the real one as long as it is asked for at least once a second', async t => {
  const { real, clock } = clockAt(5000)
  for (const ms of [5000, 5000.5, 6000.5, 7000.5]) {
    real.ms = ms
    t.equal(clock.now(), ms)
  }
  t.equal(clock.takeStall(), 0)
})

t.test('a longer pause is a stall: the time goes on where it was', async t => {
  const { real, clock } = clockAt(5000)
  real.ms = 5400
  t.equal(clock.now(), 5400)
  real.ms = 8400
  t.equal(clock.now(), 5400)
  t.equal(clock.now(), 5400, 'once')
  real.ms = 8500
  t.equal(clock.now(), 5500)
  real.ms = 10_000
  t.equal(clock.now(), 5500)
  t.equal(clock.takeStall(), 4500, 'all of them together')
  t.equal(clock.takeStall(), 0, 'since the last time')
})

t.test('what was before the start is none', async t => {
  const { real, clock } = clockAt()
  real.ms = 60_000
  clock.start()
  real.ms = 60_100
  t.equal(clock.now(), 60_100)
  t.equal(clock.takeStall(), 0)
})
