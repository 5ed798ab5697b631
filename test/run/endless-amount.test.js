'use strict'

// A run by amount says what it waits for: user functions that send nothing, and streams that never end.

const { once } = require('node:events')
const t = require('tap')
const autocannon = require('../..')
const { serve } = require('../helpers/servers/http-server')
const { EndlessStreams, IdleUsers } = require('../../lib/run/endless-amount')

const idleTold = (/** @type {Array<[number, number, number]>} */ ticks, amount = 10) => {
  const sentences = []
  const idle = new IdleUsers(amount, sentence => sentences.push(sentence))
  for (const [counter, inFlight, length] of ticks) idle.tick({ counter, inFlight, length })
  return sentences
}

t.test('after 5 s without a request, once', async t => {
  t.strictSame(idleTold([[3, 0, 1000], ...Array(20).fill([0, 0, 1000])]), [
    'no user function has sent a request for 5 s: the run ends after 10 requests, 3 of which have a response, and waits for the rest. ' +
    'Is there a long pause, an await that never ends, or a return before the first request? Ctrl-C ends it'
  ])
})

t.test('not while a request waits for its response, nor where some are sent now and then', async t => {
  t.strictSame(idleTold(Array(20).fill([0, 1, 1000])), [])
  t.strictSame(idleTold(Array.from({ length: 20 }, (_, i) => [i % 4 === 0 ? 1 : 0, 0, 1000]), 100), [])
})

t.test('a run by amount says so of users', async t => {
  const { url } = await serve(t)
  const instance = autocannon({ url, amount: 10, connections: 2, user: () => {} })
  const [sentence] = await once(instance, 'notice')
  t.match(sentence, /^no user function has sent a request for \d+ s: the run ends after 10 requests, 0 of which/)
  instance.stop()
  t.equal((await instance).requests.sent, 0)
})

/** @param {Array<[number, number]>} samples of a second: events, and how many streams have ended so far */
const streamsTold = samples => {
  const sentences = []
  const endless = new EndlessStreams(10, sentence => sentences.push(sentence))
  samples.forEach(([events, completed], i) => endless.sample(/** @type {any} */ ({
    point: { time: i * 1000, length: 1000, streams: { events } }, totals: { completed }
  })))
  return sentences
}

t.test('after 5 s of events without the end of a stream, once', async t => {
  t.strictSame(streamsTold(Array(20).fill([3, 0])), [
    '15 events arrived, and no stream has ended: the run ends after 10 requests. --stream-for or --events closes streams in order, Ctrl-C ends the run'
  ])
  t.strictSame(streamsTold(Array(20).fill([0, 0])), [], 'without an event there may be no stream')
  t.strictSame(streamsTold(Array.from({ length: 20 }, (_, i) => [3, i < 4 ? 0 : 1])), [])
})

t.test('a run by amount says so of streams', async t => {
  const { url } = await serve(t, (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write('data: x\n\n'), 50)
    response.on('close', () => clearInterval(timer))
  })
  const instance = autocannon({ url, amount: 10, connections: 1, stream: 'sse' })
  const [sentence] = await once(instance, 'notice')
  t.match(sentence, /^\d+ events arrived, and no stream has ended: the run ends after 10 requests\./)
  instance.stop()
  await instance
})
