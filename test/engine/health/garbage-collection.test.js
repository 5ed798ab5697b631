'use strict'

const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const timers = require('node:timers/promises')
const t = require('tap')
const { now } = require('../../../lib/core/clock')
const { GarbageCollection } = require('../../../lib/engine/health/garbage-collection')

setFlagsFromString('--expose-gc')
/** @type {() => void} */
const collect = runInNewContext('gc')

t.test('each collection between start and stop is counted once, however often it is asked for', async t => {
  const collection = new GarbageCollection()
  t.teardown(() => collection.stop())
  collect()
  t.equal(collection.take(), 0, 'no look before the start')
  const from = now()
  collection.start()
  let sum = 0
  for (let i = 0; i < 5; i++) {
    collect()
    if (i === 1) sum += collection.take()
    // Node.js tells of a collection in a later turn of the event loop.
    await timers.setTimeout(1)
    if (i === 3) sum += collection.take()
  }
  sum += collection.take()
  t.ok(sum > 0 && sum <= now() - from, `${sum} ms`)
  t.equal(collection.take(), 0)
  collection.stop()
  collect()
  await timers.setTimeout(1)
  t.equal(collection.take(), 0, 'nor after the end')
})

t.test('an unrequested collection is counted', async t => {
  const collection = new GarbageCollection()
  t.teardown(() => collection.stop())
  collection.start()
  let kept = []
  for (let i = 0; i < 3e6; i++) {
    if (i % 1e5 === 0) kept = []
    kept.push({ i })
  }
  await timers.setTimeout(1)
  t.ok(collection.take() > 0)
})
