'use strict'

// How often it is said that Redis is away.

const t = require('tap')
const { Redis } = require('../../../lib/run/agents/redis')

t.test('a Redis that is away for an hour is told about each minute, and its first trouble at once', async t => {
  /** @type {number[]} */
  const told = []
  let seconds = 0
  const { now } = performance
  performance.now = () => seconds * 1000
  t.teardown(() => { performance.now = now })
  const redis = new Redis({ url: 'redis://127.0.0.1:1', cluster: false, prefix: 'autocannon' }, () => { told.push(seconds) })
  const away = (/** @type {number} */ until) => { for (; seconds < until; seconds++) redis.complain(new Error('connect ECONNREFUSED')) }
  away(3600)
  t.strictSame(told.slice(0, 6), [0, 6, 17, 38, 79, 140])
  t.ok(told.length < 65, `${told.length} lines`)
  redis.client.emit('ready')
  told.length = 0
  away(3620)
  t.strictSame(told, [3600, 3606, 3617], 'once it was back, the next trouble is told as the first')
  redis.close()
})

t.test('what takes a connection and says nothing is asked whether it wants TLS', async t => {
  for (const [scheme, advice] of [['redis', /: ETIMEDOUT no response within 5 s\. Does it want TLS\? Then its URL is rediss:\/\/$/], ['rediss', /Does it speak TLS\? If not, its URL is redis:\/\/$/]]) {
    const redis = new Redis({ url: `${scheme}://127.0.0.1:1`, cluster: false, prefix: 'autocannon' }, () => {})
    t.teardown(() => redis.close())
    redis.client.connect = () => new Promise(() => {})
    const { setTimeout } = global
    global.setTimeout = /** @type {any} */ (/** @type {() => void} */ fn) => setTimeout(fn, 0)
    try {
      await t.rejects(redis.open(), { code: 'AC_REDIS', message: advice })
    } finally {
      global.setTimeout = setTimeout
    }
  }
})
