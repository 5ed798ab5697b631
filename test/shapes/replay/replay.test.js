'use strict'

// A run that replays a trace: when requests are sent, what they carry, when it ends, and what can't be combined with it.

const fs = require('node:fs')
const path = require('node:path')
const t = require('tap')
const { conserves } = require('../../helpers/results/conservation')
const { validate } = require('../../../lib/options/validate')
const { ANSWER, after, begin, generatorOf, threadsOf } = require('../../engine/helpers/fake-load')

const ROWS = [[0, 4, 3], [50, 2, 5], [50, 6, 2], [120, 1, 1], [400, 3, 9]]

/** A file of the rows. */
function traceOf (t, rows = ROWS) {
  const lines = rows.map(([timestamp, input, output]) => JSON.stringify({ timestamp: 7000 + timestamp, input_length: input, output_length: output }))
  return path.join(t.testdir({ 'trace.jsonl': lines.join('\n') }), 'trace.jsonl')
}

const sends = sockets => sockets.flatMap(({ times }) => times).sort((a, b) => a - b)

t.test('requests are sent when those of the trace arrived, and the run ends with the last response', async t => {
  const replay = traceOf(t)
  for (const [file, factor] of [[replay, 1], [`${replay},speed=2`, 2], [{ file: replay, speed: '0.5' }, 0.5]]) {
    const log = generatorOf({ replay: file, connections: 3 })
    begin(log, after(5))
    log.time.pass(400 / factor + 4)
    t.notOk(log.generator.ended)
    log.time.pass(2)
    t.ok(log.generator.ended)
    t.strictSame(sends(log.sockets), ROWS.map(([time]) => time / factor))
    const result = log.result()
    t.match(result.rate, { sent: 5, late: 0, unsent: 0 })
    conserves(t, result)
  }
})

t.test('with a duration, only what arrived before its end is due', async t => {
  const log = generatorOf({ replay: traceOf(t), connections: 3, duration: 0.3 })
  begin(log, after(5))
  log.time.pass(300)
  t.ok(log.generator.ended)
  t.strictSame(sends(log.sockets), [0, 50, 50, 120])
  conserves(t, log.result())
})

t.test('with an amount, the first ones are', async t => {
  const log = generatorOf({ replay: traceOf(t), connections: 3, amount: 2 })
  begin(log, after(5))
  log.time.pass(60)
  t.ok(log.generator.ended)
  t.strictSame(sends(log.sockets), [0, 50])
})

t.test('what finds no connection waits, and counts from when it arrived in the trace', async t => {
  const log = generatorOf({ replay: traceOf(t), connections: 1 })
  begin(log, after(80))
  log.time.pass(1000)
  t.ok(log.generator.ended)
  t.strictSame(sends(log.sockets), [0, 80, 160, 240, 400])
  const result = log.result()
  t.match(result.rate, { sent: 5, late: 3, unsent: 0 })
  t.equal(result.latency.max, 240 + 80 - 120)
  conserves(t, result)
})

t.test('no request waits for a busy connection because the others have had their part of them', async t => {
  const log = generatorOf({ replay: traceOf(t, Array.from({ length: 8 }, (_, i) => [i * 10, 1, 1])), connections: 2 })
  begin(log)
  log.time.pass(1)
  for (let at = 1; at < 80; at += 10) {
    log.time.pass(10)
    if (log.sockets[1].requests > 0) log.sockets[1].read(ANSWER)
  }
  t.strictSame(log.sockets.map(({ requests }) => requests), [1, 7])
})

t.test('each generator takes every n-th arrival', async t => {
  const logs = threadsOf({ replay: traceOf(t, Array.from({ length: 9 }, (_, i) => [i * 10, 1, 1])), connections: 4 }, 2)
  for (const { generator } of logs) generator.start()
  for (const { sockets } of logs) for (const socket of sockets) socket.ready(after(2))
  for (const { generator } of logs) generator.begin(0)
  logs[0].time.pass(100)
  // The first one waits for a timer, 1 ms.
  t.strictSame(logs.map(({ sockets }) => sends(sockets)), [[1, 20, 40, 60, 80], [10, 30, 50, 70]])
})

t.test('a result and the start of the report name the file and the speed', async t => {
  const { values } = validate({ url: 'http://localhost', replay: `${traceOf(t)},speed=2` })
  const { option: { type }, line } = require('../../../lib/shapes/replay/replay')
  t.match(type.shown(values.replay), /trace\.jsonl,speed=2$/)
  t.equal(line({ file: 'a.csv', speed: 1 }), 'replay a.csv')
  t.equal(line('a.csv,speed=3'), 'replay a.csv,speed=3')
})

t.test('what can not be combined is told', async t => {
  const replay = traceOf(t)
  const times = `${replay}.times`
  fs.writeFileSync(times, 'TIMESTAMP\n0\n1\n')
  for (const [opts, message] of [
    [{ rate: 5 }, /^rate and replay each set the load: use one of them$/],
    [{ arrivals: 'poisson' }, /^arrivals and replay each set when requests are due: use one of them$/],
    [{ until: 'p99 ±5%' }, /^until and replay each set the end of the run: use one of them$/],
    [{ amount: 6 }, /^amount: expected at most the 5 requests of the trace, got 6$/],
    [{ amount: '3 iterations' }, /^amount: expected at most the 5 requests of the trace, got 3 iterations$/],
    [{ data: { trace: { rows: [1] } } }, /^replay and data each have rows that are called trace: rename those of data$/],
    [{ body: '{{trace.promt}}', method: 'POST' }, /promt/],
    ...[
      { body: '{{trace.prompt}}', method: 'POST', cookies: true },
      { requests: [{ path: '/{{trace.input}}' }, {}] },
      { scenarios: [{ requests: [{ path: '/{{trace.input}}' }] }] }
    ].map(opts => [opts, /\{\{trace\.(prompt|input)\}\}: a row of a trace belongs to one request, so use a single one, without a HAR, targets, scenarios, /]),
    [{ replay: times, body: '{{trace.input}}', method: 'POST' }, /\{\{trace\.input\}\}: this trace has arrival times only, and no columns$/],
    [{ replay: `${replay},speed=0` }, /^replay: speed: expected a factor above 0 and up to 1,000,000, got '0'$/],
    [{ replay: { file: replay, spede: 2 } }, /^replay: unknown key 'spede', did you mean 'speed'\? There are file, speed$/],
    [{ replay: 5 }, /^replay: expected the path of a file, and perhaps a speed, as in trace.csv,speed=2, got 5$/]
  ]) {
    t.throws(() => validate({ url: 'http://localhost', replay, ...opts }), { problems: [message] }, JSON.stringify(opts))
  }
})
