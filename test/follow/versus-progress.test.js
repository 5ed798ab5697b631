'use strict'

// The progress of versus: what stands above the runs.

const t = require('tap')
const { PassThrough } = require('node:stream')
const { VersusProgress } = require('../../lib/follow/versus-progress')

t.test('the report begins on a line of its own, below a blank one', async t => {
  const race = { sides: { base: 'a', new: 'b' }, runs: 5, seconds: 2, starts: false }
  for (const [isTTY, isInterrupted, end] of [[true, false, '\n'], [true, true, '\n\n'], [false, true, null]]) {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 })
    new VersusProgress(race, stream).end(isInterrupted)
    t.equal(stream.read()?.toString() ?? null, end)
  }
})

t.test('the head is broken between words at a terminal, and one line in a pipe', async t => {
  const race = { sides: { base: 'node old.js', new: 'node new.js' }, runs: 5, seconds: 2, starts: true }
  const written = (/** @type {object} */ more) => {
    const stream = Object.assign(new PassThrough(), more)
    new VersusProgress(race, stream).begin()
    return String(stream.read())
  }
  t.match(written({}), '5 runs of base and of new, 2 s each, alternating, at most 20 s of load and the starts of the servers\n')
  const lines = written({ isTTY: true, columns: 80 }).split('\n')
  t.ok(lines.every(line => line.length <= 80), lines.join('\n'))
  t.match(lines.join(' '), 'and the starts of the servers')
})

t.test('a run has its responses, or its events where none of its streams has ended', async t => {
  const lineOf = (/** @type {Record<string, any>} */ result) => {
    const stream = new PassThrough()
    new VersusProgress({ sides: { base: 'a', new: 'b' }, runs: 3, seconds: 1, starts: false }, stream).ended('base', 1, result)
    return String(stream.read())
  }
  const latency = { p50: 1.5, p99: 3 }
  const streams = { kind: 'sse', events: 500, eventsPerSecond: 250, gap: { p50: 20, p99: 31.5 } }
  const none = { total: 0, average: 0 }
  t.match(lineOf({ requests: { total: 10, average: 5 }, latency, failures: 0 }), / {2}5 req\/s {2}p50 1\.50 ms /)
  t.match(lineOf({ requests: { total: 10, average: 5 }, latency, streams, failures: 0 }), / {2}5 req\/s {2}p50 1\.50 ms /)
  t.match(lineOf({ requests: none, latency: { p50: 0, p99: 0 }, streams, failures: 0 }), / {2}250 events\/s {2}gap p50 20\.0 ms +p99 31\.5 ms/)
  t.match(lineOf({ requests: none, latency, url: 'ws://localhost', websocket: {}, streams: { ...streams, kind: 'messages' }, failures: 0 }), / {2}250 received\/s {2}gap p50 /)
})
