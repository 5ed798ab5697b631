'use strict'

// The lines of the live area, byte by byte: each case has a file of its name in test/golden. UPDATE_GOLDEN=1 writes them anew; read the diff.

const t = require('tap')
const picocolors = require('picocolors')
const { HOSTILE, hostileIn } = require('../../helpers/hostile-text')
const { exampleResult, VERDICTS } = require('../../helpers/results/example-result')
const results = require('../../helpers/results/golden')
const { formatTime } = require('../../../lib/follow/live/brief')
const { DROPPED_FIRST, liveLines } = require('../../../lib/follow/live/lines')
const { sparkline } = require('../../../lib/follow/live/sparkline')
const { randomFrom } = require('../../../lib/core/random')
const { widthOf } = require('../../../lib/report/table')

const plain = picocolors.createColors(false)
const RESULT = exampleResult({ ...VERDICTS, seconds: 30 })

/**
 * @param {Record<string, any>} [changes]
 * @returns {any}
 */
function stateOf (changes = {}) {
  const { result = RESULT, verdict = 'healthy', ...more } = changes
  return {
    title: '',
    progress: { ratio: 0.5, done: '30 s of 60 s', left: 30 },
    result,
    minute: result === null ? [] : result.series,
    tick: { connections: 20, inFlight: 19, generator: { cpu: 0.4, eventLoopUtilization: 0.44, lag: { p50: 0.1, p99: 1.2, max: 4 }, verdict } },
    ...more
  }
}

/**
 * @param {string} name
 * @param {any} state
 * @param {number} columns
 * @param {number} rows
 */
function golden (name, state, columns, rows) {
  t.test(`${name}, ${columns} × ${rows}`, async t => {
    results.golden(t, `live/${name}-${columns}x${rows}.txt`, liveLines(state, { columns, rows, color: plain }).join('\n') + '\n')
  })
}

for (const [columns, rows] of [[120, 40], [80, 24], [80, 16], [80, 12], [60, 24], [60, 8], [60, 4], [59, 24], [30, 24]]) golden('full', stateOf(), columns, rows)
golden('streams', stateOf({
  quiet: 5000,
  result: { ...RESULT, streams: { eventsPerSecond: 2500, firstEvent: { totalCount: 100, p50: 12.5, p99: 20 }, gap: { totalCount: 5000, p50: 20, p99: 31.5 } } },
  minute: RESULT.series.map((/** @type {any} */ point, /** @type {number} */ i) =>
    ({ ...point, streams: { events: 2000 + 10 * i, stalls: 0, firstEvent: i % 2 === 0 ? null : { p50: 12, p95: 15, p99: 20, max: 21 }, gap: { p50: 20, p95: 25, p99: 30 + i % 3, max: 90 } } }))
}), 80, 30)
golden('tokens', stateOf({
  result: { ...RESULT, streams: { eventsPerSecond: 2500, tokens: { perSecond: 5100 }, firstEvent: { totalCount: 100, p50: 12.5, p99: 20 }, gap: { totalCount: 5000, p50: 20, p99: 31.5 } } },
  minute: RESULT.series.map((/** @type {any} */ point, /** @type {number} */ i) =>
    ({ ...point, streams: { events: 2000 + 10 * i, stalls: 0, firstEvent: null, gap: null, tokens: 4000 + 20 * i } }))
}), 80, 30)
golden('good', stateOf({ result: exampleResult({ bad: 0, seconds: 5 }) }), 80, 24)
golden('start', stateOf({ result: null, tick: null, progress: { ratio: 0, done: '0 s of 10 s', left: 10 } }), 80, 24)
golden('title', stateOf({ title: 'run 2 of 5  base', verdict: 'saturated' }), 80, 10)
golden('nothing', stateOf({ result: { ...exampleResult({ bad: 1 }), latency: { totalCount: 0 }, requests: { ...RESULT.requests, total: 0, average: 0 }, statusCodeStats: {}, errorCodes: { ECONNREFUSED: 12_000 } }, minute: [{ time: 0, length: 1000, requests: 0, p50: null, p99: null, max: null }] }), 80, 24)
golden('resent', stateOf({ result: { ...RESULT, resent: 40 } }), 80, 24)
golden('end', stateOf({ progress: { ratio: 1, done: '60 s of 60 s', left: 0 } }), 80, 5)

t.test('no line is as wide as the terminal, and one line of its height stays free', async t => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = randomFrom(seed)
    const upTo = (/** @type {number} */ n) => Math.floor(next() * (n + 1))
    const name = () => ['GET /', '結果を表示するための非常に長い名前', 'x'.repeat(upTo(90)), '👍 ok'][upTo(3)]
    const result = {
      ...RESULT,
      ...next() < 0.3 && { rate: { target: upTo(1e6) } },
      errors: upTo(1e6),
      errorCodes: Object.fromEntries(Array.from({ length: upTo(7) }, () => [name(), upTo(1e6)])),
      statusCodeStats: Object.fromEntries(Array.from({ length: upTo(9) }, () => [String(100 + upTo(499)), { count: upTo(1e9) }])),
      thresholds: Array.from({ length: upTo(12) }, () => ({ expression: name(), actual: next() < 0.2 ? null : 1e6 * next(), unit: 'ms', passed: [true, false, null][upTo(2)] })),
      checks: Array.from({ length: upTo(4) }, () => ({ name: name(), passed: upTo(1e9), failed: upTo(3) }))
    }
    const state = stateOf({ result, title: next() < 0.5 ? '' : name(), verdict: ['healthy', 'starved', null][upTo(2)], progress: { ratio: next(), done: '9,999,999 of 10,000,000 requests', left: next() < 0.2 ? null : 1e5 * next() } })
    const [columns, rows] = [5 + upTo(140), 2 + upTo(50)]
    const lines = liveLines(state, { columns, rows, color: plain })
    const wide = lines.filter(line => widthOf(line) >= columns)
    if (wide.length > 0) t.fail(`seed ${seed}: ${widthOf(wide[0])} of ${columns} columns`, { wide })
    if (lines.length > rows - 1 || lines.length === 0) t.fail(`seed ${seed}: ${lines.length} of ${rows} rows`)
  }
})

t.test('lower terminals lose in the order of the table, and what went wrong goes last', async t => {
  const has = (/** @type {string[]} */ lines) => ({
    chart: lines.some(line => line.includes(' – ')),
    health: lines.some(line => line.startsWith('generator')),
    connections: lines.some(line => line.startsWith('connections')),
    errors: lines.some(line => line.startsWith('errors')),
    thresholds: lines.some(line => line.startsWith('thresholds   ✗'))
  })
  /** @type {any[]} */
  const seen = []
  for (let rows = 30; rows > 2; rows--) seen.push(has(liveLines(stateOf(), { columns: 80, rows, color: plain })))
  const until = (/** @type {string} */ name) => seen.findIndex(one => !one[name])
  t.ok(until('health') < until('connections'))
  t.ok(until('connections') <= until('chart'))
  t.ok(until('chart') < until('errors'))
  t.ok(until('errors') <= until('thresholds'))
  t.strictSame(new Set(DROPPED_FIRST.map(([name]) => name)).has('progress'), false)
})

t.test('a chart is there with all that it has, or not at all', async t => {
  for (let rows = 30; rows > 2; rows--) {
    const shares = liveLines(stateOf(), { columns: 80, rows, color: plain }).filter(line => line.includes(' – ')).map(line => Number(/ ([\d.]+) %/.exec(line)?.[1]))
    if (shares.length > 0) t.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100) < 0.5, `${rows} rows: ${shares}`)
  }
})

t.test('a generator that spoils the figures stays longer than one that does not', async t => {
  const rows = 13
  t.notMatch(liveLines(stateOf(), { columns: 80, rows, color: plain }).join('\n'), 'generator')
  t.match(liveLines(stateOf({ verdict: 'starved' }), { columns: 80, rows, color: plain }).join('\n'), 'generator    high CPU wait')
})

t.test('what an even pace takes of a core to wait is not told as work', async t => {
  const line = (/** @type {number} */ cpu, /** @type {number} */ eventLoopUtilization) => {
    const state = stateOf({ tick: { connections: 20, inFlight: 19, generator: { cpu, eventLoopUtilization, lag: { p50: 0.1, p99: 1.2, max: 4 }, verdict: 'healthy' } } })
    return liveLines(state, { columns: 80, rows: 30, color: plain }).find(line => line.startsWith('generator'))
  }
  t.equal(line(1, 0.09), 'generator    event loop 9 %  lag p99 1.20 ms  CPU 100 %, most of it waiting')
  t.equal(line(0.7, 0.68), 'generator    event loop 68 %  lag p99 1.20 ms  CPU 70 % of a core')
  t.equal(line(0.02, 0), 'generator    event loop 0 %  lag p99 1.20 ms  CPU 2 % of a core')
})

t.test('a run with stages says in which it is and what the load is to be now, one of users who arrive how many wait', async t => {
  const lines = (/** @type {Record<string, any>} */ more) => liveLines(stateOf({ result: { ...RESULT, duration: 10, ...more } }), { columns: 80, rows: 40, color: plain })
  const stage = (/** @type {Record<string, any>} */ more) => ({ target: { start: 0, end: 100, unit: 'requests/s' }, fates: { sent: 1, timedOut: 0, failed: 0 }, generator: {}, latency: RESULT.latency, statusCodeStats: {}, ...more })
  const byStage = [stage({ from: 0, to: 4 }), stage({ name: 'peak', from: 4, to: 10 }), stage({ from: 10, to: 10 })]
  const series = [{ ...RESULT.series[0], target: 749.6 }]
  t.ok(lines({ byStage, series }).includes('stage        2 of 3 (peak), 750 req/s'), lines({ byStage, series }).join('\n'))
  t.ok(lines({ byStage, series: [] }).includes('stage        2 of 3 (peak)'))
  const connections = byStage.map(one => ({ ...one, target: { ...one.target, unit: 'connections' } }))
  t.ok(lines({ byStage: connections, series: [{ ...RESULT.series[0], target: 12.4 }] }).includes('stage        2 of 3 (peak), 12 conn.'))
  t.notOk(lines({}).some(line => /^(stage|iterations)/.test(line)))
  t.ok(lines({ iterations: { target: 200, started: 611, completed: 600 } }).includes('iterations/s 61.1 of 200 started  1,389 wait for a connection  600 completed'))
  t.ok(lines({ iterations: { target: 200, started: 1985, completed: 1980 } }).includes('iterations/s 199 of 200 started  1,980 completed'))
  t.notOk(lines({ iterations: { started: 10, completed: 10 } }).some(line => line.startsWith('iterations')), 'without a rate of iterations')
})

t.test('colours change nothing else', async t => {
  const coloured = liveLines(stateOf(), { columns: 80, rows: 24, color: picocolors.createColors(true) }).join('\n')
  // eslint-disable-next-line no-control-regex
  t.equal(coloured.replace(/\x1b\[\d+m/g, ''), liveLines(stateOf(), { columns: 80, rows: 24, color: plain }).join('\n'))
})

t.test('text of others can not move the cursor', async t => {
  const result = { ...RESULT, errorCodes: { [HOSTILE]: 3 }, statusCodeStats: { [HOSTILE]: { count: 1 } }, checks: [{ name: HOSTILE, request: HOSTILE, passed: 0, failed: 1 }], thresholds: [{ expression: HOSTILE, actual: HOSTILE, unit: 'generator', passed: false }] }
  for (const columns of [59, 100]) t.strictSame(hostileIn(liveLines(stateOf({ result }), { columns, rows: 30, color: plain }).join('')), [])
})

t.test('a sparkline goes from 0 to the highest value, and leaves out what was not measured', async t => {
  t.equal(sparkline([0.1, 1, 2, 3, 4, 5, 6, 7], 10), '▁▂▃▄▅▆▇█')
  t.equal(sparkline([5, 0, 0, 0.1, 5], 10), '█  ▁█', 'nothing at all is a gap')
  t.equal(sparkline([5, null, 5], 10), '█ █')
  t.equal(sparkline([0, 0], 10), '▁▁')
  t.equal(sparkline([], 10), '')
  t.equal(sparkline([1, 7, 1, 1, 1, 1], 3), '█▂▂', 'several values share a character: the highest of them')
  t.ok(sparkline(Array(600).fill(1), 37).length <= 37)
})

t.test('times are short', async t => {
  t.strictSame([0, 0.42, 8, 9.97, 59.4, 59.6, 60, 200, 3600, 7500].map(formatTime), ['0 s', '0.4 s', '8 s', '10 s', '59 s', '60 s', '60 s', '3 min 20 s', '60 min', '2 h 5 min'])
})
