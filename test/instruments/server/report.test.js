'use strict'

// What reports say of a watched server, and that they say nothing where none was.

const t = require('tap')
const { stripVTControlCharacters } = require('node:util')
const { formatResult, printResult } = require('../../..')
const { exampleResult } = require('../../helpers/results/example-result')
const { stagedResult } = require('../../helpers/results/staged-result')
const { timeCharts } = require('../../../lib/report/html/charts')
const { serverCharts } = require('../../../lib/report/html/server')

const figure = (average, max) => ({ average, max })
const OUTSIDE = { processes: figure(2.5, 3), cpu: figure(0.874, 1.02), rss: figure(100_500_000, 120_000_000), threads: figure(20, 22), files: figure(1234.5, 1240) }
const UNKNOWN = { eventLoopUtilization: null, eventLoopDelay: null, heapUsed: null, gc: null }
const INSIDE = { eventLoopUtilization: figure(0.85, 0.99), eventLoopDelay: figure(1.2, 15.3), heapUsed: figure(30_000_000, 45_000_000), gc: figure(0.021, 0.08) }
const point = more => ({ processes: 3, cpu: 0.87, rss: 120e6, threads: 20, files: 1240, eventLoopUtilization: null, eventLoopDelay: null, eventLoopDelayMax: null, heapUsed: null, gc: null, ...more })
const LOOPS = { eventLoopUtilization: 0.85, eventLoopDelay: 1.2, eventLoopDelayMax: 15.3, heapUsed: 45e6, gc: 0.02 }

/** A result whose server was seen like that. */
const watched = (server, more) => {
  const result = exampleResult()
  return { ...result, server, series: result.series.map((one, i) => ({ ...one, server: i === 1 ? null : point(more) })) }
}
const stream = { isTTY: false, columns: 200, write () {} }

t.test('text: one sentence, of what is known', async t => {
  const line = server => printResult(watched(server), { outputStream: stream }).split('\n').find(line => line.startsWith('Server:'))
  t.equal(line({ ...OUTSIDE, ...INSIDE }), 'Server: CPU 87.4 % of a core (max 102 %), memory 120 MB at most, 3 processes, 22 threads, 1,240 open files; event loop 85 % busy (max 99 %), timers 1.20 ms late (max 15.3 ms), heap 45 MB at most, garbage collection 2.1 % of the time')
  t.equal(line({ ...OUTSIDE, ...UNKNOWN, processes: figure(1, 1), files: null }), 'Server: CPU 87.4 % of a core (max 102 %), memory 120 MB at most, 22 threads')
  t.equal(line({ ...INSIDE, processes: null, cpu: null, rss: null, threads: null, files: null }), 'Server: event loop 85 % busy (max 99 %), timers 1.20 ms late (max 15.3 ms), heap 45 MB at most, garbage collection 2.1 % of the time')
  t.equal(line(Object.fromEntries(Object.keys({ ...OUTSIDE, ...UNKNOWN }).map(key => [key, null]))), undefined)
  t.notMatch(printResult(exampleResult(), { outputStream: stream }), 'Server:')
  const narrow = printResult(watched({ ...OUTSIDE, ...INSIDE }), { outputStream: { ...stream, isTTY: true, columns: 80 } }).split('\n')
  t.strictSame(narrow.map(line => stripVTControlCharacters(line)).filter(line => line.length > 80), [], 'it fits a terminal')
})

t.test('Markdown: a row for each figure', async t => {
  t.match(formatResult(watched({ ...OUTSIDE, ...INSIDE }), 'md'), `| Server | Average | At most |
| --- | --: | --: |
| CPU, of a core | 87.4 % | 102 % |
| Memory | 101 MB | 120 MB |
| Processes | 2.5 | 3 |
| Threads | 20 | 22 |
| Open files | 1,235 | 1,240 |
| Event loop | 85 % | 99 % |
| Event loop delay | 1.20 ms | 15.3 ms |
| Heap | 30 MB | 45 MB |
| Garbage collection | 2.1 % | 8 % |
`)
  t.notMatch(formatResult(watched({ ...OUTSIDE, ...UNKNOWN }), 'md'), 'Heap')
  t.notMatch(formatResult(exampleResult(), 'md'), '| Server |')
})

t.test('CSV and lines of JSON', async t => {
  const [head, row] = formatResult(watched({ ...OUTSIDE, ...INSIDE, gc: null }), 'csv').split('\r\n')
  const columns = head.split(',')
  const first = columns.indexOf('server_cpu')
  t.strictSame(columns.slice(first, first + 18), ['cpu', 'rss_bytes', 'processes', 'threads', 'files', 'event_loop', 'event_loop_delay_ms', 'heap_bytes', 'gc'].flatMap(name => [`server_${name}`, `server_${name}_max`]))
  t.equal(row.split(',').slice(first, first + 18).join(), '0.874,1.02,100500000,120000000,2.5,3,20,22,1234.5,1240,0.85,0.99,1.2,15.3,30000000,45000000,,')
  const lines = formatResult(watched({ ...OUTSIDE, ...UNKNOWN }), 'ndjson').trim().split('\n').map(line => JSON.parse(line))
  t.match(lines[0].server, { cpu: 0.87, rss: 120e6 })
  t.equal(lines[1].server, null)
  t.notOk(formatResult(exampleResult(), 'ndjson').includes('"server"'))
})

t.test('the page: charts of what is known, beside a baseline that was not watched as well', async t => {
  const ids = charts => charts.map(({ id, lines }) => [id, lines.map(({ label }) => label)])
  t.strictSame(ids(serverCharts(watched(OUTSIDE, LOOPS))), [
    ['server-load', ['CPU', 'Event loop', 'GC']], ['server-memory', ['Memory', 'Heap']], ['server-delay', ['Average', 'At most']], ['server-files', ['Open files', 'Threads']]
  ])
  t.strictSame(ids(serverCharts(watched(OUTSIDE, { files: null }), exampleResult())), [['server-load', ['CPU']], ['server-memory', ['Memory']], ['server-files', ['Threads']]])
  const [load] = serverCharts(watched(OUTSIDE, LOOPS))
  t.strictSame(load.runs[0][1].slice(0, 2), [87, null])
  t.ok(timeCharts(watched(OUTSIDE, LOOPS)).every(({ id }) => !id.startsWith('server')))
  const page = formatResult(watched({ ...OUTSIDE, ...INSIDE }, LOOPS), 'html')
  t.match(page, 'The server beside the load')
  t.match(page, 'data-chart="server-delay"')
  t.match(formatResult(watched(Object.fromEntries(Object.keys({ ...OUTSIDE, ...UNKNOWN }).map(key => [key, null])), Object.fromEntries(Object.keys(point()).map(key => [key, null]))), 'html'), 'Nothing was seen of it.')
  t.notMatch(formatResult(exampleResult(), 'html'), 'server beside')
})

t.test('stages and steps of a search have a column of its CPU, where it is known of any', async t => {
  const staged = stagedResult({ stages: ['0s:100/s', '1s:100/s', 'peak=1s:200/s'] })
  const [calm, peak] = staged.byStage
  const known = { ...staged, server: OUTSIDE, byStage: [{ ...calm, server: OUTSIDE }, peak] }
  const step = { value: 100, attempt: 1, outcome: 'held', reason: null, certain: true, achieved: 100, p50: 2, p99: 4, failures: 0, failureRate: 0, growth: 0, generator: { verdict: 'healthy', cause: null }, thresholds: [] }
  const search = steps => ({ best: 200, unit: 'requests/s', limit: 'range', above: null, knee: null, over: 'rate', from: 100, to: 200, precision: 0.03, step: 10, thresholds: ['p99 < 50ms'], steps })
  const searched = { ...exampleResult(), server: OUTSIDE, search: search([{ ...step, server: OUTSIDE }, { ...step, value: 200, server: { ...OUTSIDE, cpu: null } }]) }
  for (const [result, without, rows] of [[known, staged, [/100 req\/s.*\b87\.4 %/s, /peak.*–/s]], [searched, { ...searched, search: search([step]) }, [/100.*\b87\.4 %.*held/, /200.*–.*held/]]]) {
    for (const show of [result => printResult(result, { outputStream: { ...stream, columns: 80 } }), result => formatResult(result, 'md'), result => formatResult(result, 'html').replace(/<\/t[dh]>\s*/g, ' | ')]) {
      t.match(show(result), /Server CPU/)
      for (const row of rows) t.match(show(result), row)
      t.notMatch(show(without), /Server CPU/)
    }
    t.ok(printResult(result, { outputStream: { ...stream, columns: 80 } }).split('\n').filter(line => /^[│┌]/.test(line)).every(line => line.length <= 80))
  }
  const [head, ...lines] = formatResult(known, 'csv').trim().split('\r\n').map(line => line.split(','))
  t.strictSame(lines.map(cells => [cells[head.indexOf('stage')], cells[head.indexOf('server_cpu')]]), [['', '0.874'], ['1', '0.874'], ['2', '']])
})
