'use strict'

const t = require('tap')
const { Collections } = require('../../lib/load/collections')
const { now } = require('../../lib/clock')

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

t.test('a look that ended late stands for what it was long', async t => {
  const { world, collections } = fake(t)
  collections.start()
  world.pass(1000, 1, 5)
  collections.take()
  world.pass(185, 1, 5)
  // The thread is busy with a hook for 400 ms, a quarter of it with collections.
  world.queue.push({ duration: 100 })
  world.ms += 400
  world.pass(1, 0, 1)
  t.ok(Math.abs(collections.take() - 101 * 586 / 406) < 1)
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
