'use strict'

const timers = require('node:timers/promises')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const t = require('tap')
const { Collections } = require('../../lib/load/collections')
const { Health } = require('../../lib/load/health')
const { RunningClock } = require('../../lib/load/running-clock')
const { now } = require('../../lib/clock')
const { randomFrom } = require('../../lib/verdict/random')

setFlagsFromString('--expose-gc')
/** @type {() => void} */
const collect = runInNewContext('gc')

const REAL = { setTimeout, setImmediate, clearTimeout }

/** Time, timers and an observer in the hands of the test. */
function fake (t) {
  t.teardown(() => Object.assign(globalThis, REAL))
  const world = { ms: 0, observing: false, queue: [], timer: null, tell: null, connects: 0 }
  globalThis.setTimeout = (action, delay) => {
    world.timer = { at: world.ms + delay, action, unref () {} }
    return world.timer
  }
  globalThis.clearTimeout = () => { world.timer = null }
  globalThis.setImmediate = action => action()
  class Observer {
    constructor (callback) { world.tell = () => callback({ getEntries: () => world.queue.splice(0) }) }
    observe () { world.observing = true; world.connects++ }
    disconnect () { world.observing = false; world.queue = [] }
    takeRecords () { return world.queue.splice(0) }
  }
  const collections = new Collections(() => world.ms, Observer)
  /** Collections of a length, one each so many ms; what is told is told at once or when it is asked for. */
  world.pass = (ms, duration, every, told = false) => {
    for (const end = world.ms + ms; world.ms < end;) {
      world.ms++
      if (world.ms % every === 0 && world.observing) world.queue.push({ duration })
      if (told) world.tell()
      if (world.timer !== null && world.timer.at <= world.ms) world.timer.action()
    }
  }
  return { world, collections }
}

t.test('collections are counted in the first second, however often they are asked for', async t => {
  for (const [told, step] of [[false, 1000], [true, 1000], [false, 7], [true, 7]]) {
    const { world, collections } = fake(t)
    collections.start()
    let sum = 0
    for (let left = 994; left > 0; left -= step) {
      world.pass(Math.min(left, step), 0.5, 10, told)
      sum += collections.take()
    }
    t.equal(sum, 99 * 0.5, `${step} ms a time`)
    t.equal(collections.take(), 0)
  }
})

t.test('after it they are estimated from looks that are a tenth of the time', async t => {
  for (const step of [1000, 250, 10, 3]) {
    const { world, collections } = fake(t)
    collections.start()
    world.pass(1000, 0.5, 5)
    t.equal(collections.take(), 100)
    let sum = 0
    let looked = 0
    for (let i = 0; i < 9000; i += step) {
      world.pass(step, 0.5, 5)
      looked += world.observing ? step : 0
      const taken = collections.take()
      t.ok(taken >= 0)
      sum += taken
    }
    t.equal(Math.round(sum), 900, `taken each ${step} ms`)
    t.equal(world.connects, 46, '5 looks a second')
    if (step === 10) t.equal(looked, 900)
  }
})

t.test('collections that take longer than a look are estimated as well as short ones', async t => {
  const seed = Number(process.env.SEED ?? 11)
  t.comment(`SEED=${seed}`)
  for (const duration of [1, 20, 100]) {
    const { world, collections } = fake(t)
    const random = randomFrom(seed)
    collections.start()
    world.pass(1000, 0, 1e9)
    let real = 0
    let estimated = 0
    let end = world.ms
    for (let i = 0; i < 20_000; i++) {
      // The thread runs for 9 times as long as it collects, on average; nothing else happens while it does.
      world.pass(Math.ceil(-9 * duration * Math.log(1 - random())), 0, 1e9)
      if (world.observing) world.queue.push({ duration })
      world.ms += duration
      real += duration
      end = world.ms
      if (i % 10 === 0) estimated += collections.take()
    }
    estimated += collections.take()
    t.ok(Math.abs(estimated / real - 1) < 0.05, `${duration} ms: ${(estimated / real).toFixed(3)} of ${real} in ${end} ms`)
  }
})

t.test('the end of a run is estimated as the rest of it', async t => {
  for (const ms of [1200, 1390, 2000]) {
    const { world, collections } = fake(t)
    collections.start()
    world.pass(ms, 0.5, 5)
    t.ok(Math.abs(collections.take() - ms / 10) <= 1, `${ms} ms`)
  }
})

t.test('an estimate that fell takes nothing back', async t => {
  const { world, collections } = fake(t)
  collections.start()
  world.pass(1379, 0.5, 5)
  const before = collections.take()
  world.pass(30, 0, 5)
  t.equal(collections.take(), 0)
  world.pass(2000, 0.5, 5)
  const after = collections.take()
  t.ok(after > 0)
  t.ok(before + after < 0.1 * world.ms, 'and nothing twice')
})

t.test('what is seen in a look is no more than the look, so a standstill stands for nothing', async t => {
  const { world, collections } = fake(t)
  collections.start()
  world.pass(1000, 0, 1e9)
  world.pass(190, 0, 1e9)
  world.queue.push({ duration: 2000 })
  world.pass(2000, 0, 1e9)
  t.ok(collections.take() <= world.ms)
})

t.test('nothing is observed before the start, while it rests, and after the end', async t => {
  const { world, collections } = fake(t)
  t.equal(collections.take(), 0)
  t.notOk(world.observing)
  collections.start()
  t.ok(world.observing)
  world.pass(1001, 1, 1)
  t.notOk(world.observing)
  collections.take()
  t.equal(collections.take(), 0)
  world.pass(180, 1, 1)
  t.ok(world.observing)
  collections.stop()
  t.notOk(world.observing)
  t.equal(world.timer, null)
  t.equal(collections.take(), 0)
})

t.test('collections that Node.js tells of are counted', async t => {
  const collections = new Collections(now)
  t.teardown(() => collections.stop())
  collections.start()
  const from = now()
  let kept = []
  for (let i = 0; i < 3e6; i++) {
    if (i % 1e5 === 0) kept = []
    kept.push({ i })
  }
  await new Promise(resolve => setImmediate(resolve))
  const ms = collections.take()
  t.ok(ms > 0)
  t.ok(ms < now() - from)
})

t.test('a collection in the timers that end a look is counted', async t => {
  let ms = 0
  const collections = new Collections(() => ms)
  t.teardown(() => collections.stop())
  // As after the first look, which is not waited for.
  collections.first = { at: 0, seen: 0 }
  setTimeout(collect, 5)
  collections.look(5)
  ms = 10
  while (collections.since !== null) await timers.setImmediate()
  t.ok(collections.take() > 0)
})

t.test('time in which the thread stood still had no collections', async t => {
  let ms = 0
  const clock = new RunningClock(() => ms)
  const { collections } = new Health(clock, { connections: 1, pipelining: 1 })
  collections.first = { at: 0, seen: 0 }
  collections.later = { seen: 1, length: 10 }
  ms = 100
  t.equal(collections.take(), 10)
  ms = 60_100
  t.equal(collections.take(), 0)
  ms = 60_200
  t.equal(collections.take(), 10)
})
