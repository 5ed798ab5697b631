'use strict'

// A run by amount whose user functions send nothing says what it waits for.

const { once } = require('node:events')
const t = require('tap')
const autocannon = require('../..')
const { serve } = require('../helpers/servers/http-server')
const { IdleUsers } = require('../../lib/run/idle-users')

const told = (/** @type {Array<[number, number, number]>} */ ticks, amount = 10) => {
  const sentences = []
  const idle = new IdleUsers(amount, sentence => sentences.push(sentence))
  for (const [counter, inFlight, length] of ticks) idle.tick({ counter, inFlight, length })
  return sentences
}

t.test('after 5 s without a request, once', async t => {
  t.strictSame(told([[3, 0, 1000], ...Array(20).fill([0, 0, 1000])]), [
    'no user function has sent a request for 5 s: the run ends after 10 requests, 3 of which have a response, and waits for the rest. ' +
    'Is there a long pause, an await that never ends, or a return before the first request? Ctrl-C ends it'
  ])
})

t.test('not while a request waits for its response, nor where some are sent now and then', async t => {
  t.strictSame(told(Array(20).fill([0, 1, 1000])), [])
  t.strictSame(told(Array.from({ length: 20 }, (_, i) => [i % 4 === 0 ? 1 : 0, 0, 1000]), 100), [])
})

t.test('a run by amount says so', async t => {
  const { url } = await serve(t)
  const instance = autocannon({ url, amount: 10, connections: 2, user: () => {} })
  const [sentence] = await once(instance, 'notice')
  t.match(sentence, /^no user function has sent a request for \d+ s: the run ends after 10 requests, 0 of which/)
  instance.stop()
  t.equal((await instance).requests.sent, 0)
})
