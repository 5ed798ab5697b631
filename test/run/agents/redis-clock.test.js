'use strict'

// How well the clock of Redis is known, whatever the way there does.

const t = require('tap')
const fc = require('fast-check')
const { RedisClock } = require('../../../lib/run/agents/redis-clock')

const trip = fc.double({ min: 0, max: 500, noNaN: true })

t.test('the true offset lies within offset ± error, whichever way takes how long, and clocks hours apart are the same to it', async t => {
  const trips = fc.array(fc.tuple(trip, trip), { minLength: 16, maxLength: 16 })
  const offsets = fc.integer({ min: -1e12, max: 1e12 })
  await fc.assert(fc.asyncProperty(trips, offsets, async (trips, offset) => {
    let time = 1_000
    let i = 0
    const clock = new RedisClock(async () => {
      const [there, back] = trips[i++]
      const micros = Math.floor((time + there + offset) * 1000)
      time += there + back
      return [Math.floor(micros / 1e6), micros - Math.floor(micros / 1e6) * 1e6]
    }, () => time)
    await clock.measure()
    const shortest = Math.min(...trips.map(([there, back]) => there + back))
    // Redis tells whole microseconds, and a double of 1e12 ms has no more digits than that.
    const slack = 0.002
    return Math.abs(clock.offset - offset) <= clock.error + slack && Math.abs(clock.error - shortest / 2) < slack && clock.slowest + slack >= shortest &&
      Math.abs(clock.toHere(clock.toRedis(5)) - 5) < slack
  }), { seed: 1, numRuns: 500 })
})

t.test('what is measured anew counts, not what was better long ago', async t => {
  let time = 0
  let [offset, way] = [100, 1]
  const clock = new RedisClock(async () => {
    time += way
    const answer = (time + offset) * 1000
    time += way
    return [0, answer]
  }, () => time)
  await clock.measure()
  t.strictSame([clock.offset, clock.error], [100, 1])
  offset = 140
  way = 5
  await clock.measure()
  t.strictSame([clock.offset, clock.error], [140, 5])
})
