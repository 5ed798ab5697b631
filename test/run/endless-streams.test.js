'use strict'

// A run by amount whose streams never end says what closes them.

const { once } = require('node:events')
const t = require('tap')
const autocannon = require('../..')
const { serve } = require('../helpers/servers/http-server')
const { EndlessStreams } = require('../../lib/run/endless-streams')

/** @param {Array<[number, number]>} samples of a second: events, and how many streams have ended so far */
const told = samples => {
  const sentences = []
  const endless = new EndlessStreams(10, sentence => sentences.push(sentence))
  samples.forEach(([events, completed], i) => endless.sample(/** @type {any} */ ({
    point: { time: i * 1000, length: 1000, streams: { events } }, totals: { completed }
  })))
  return sentences
}

t.test('after 5 s of events without the end of a stream, once', async t => {
  t.strictSame(told(Array(20).fill([3, 0])), [
    '15 events arrived, and no stream has ended: the run ends after 10 requests. --stream-for or --events closes streams in order, Ctrl-C ends the run'
  ])
  t.strictSame(told(Array(20).fill([0, 0])), [], 'without an event there may be no stream')
  t.strictSame(told(Array.from({ length: 20 }, (_, i) => [3, i < 4 ? 0 : 1])), [])
})

t.test('a run by amount says so', async t => {
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
