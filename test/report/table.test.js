'use strict'

// How wide the tables of a terminal are, whatever is in them.

const t = require('tap')
const { agentOutcome } = require('../helpers/agents/example-agents')
const { exampleResult, exampleIterations, VERDICTS } = require('../helpers/results/example-result')
const { stagedResult } = require('../helpers/results/staged-result')
const { derive } = require('../../lib/instruments/agents/result')
const { printResult } = require('../../lib/report/text')
const { table } = require('../../lib/report/table')
const { percentileKey, PERCENTILES } = require('../../lib/record/percentiles')
const { randomFrom } = require('../../lib/core/random')

/** @type {(agents: any[], sent: number) => any[]} */
const agentsOf = (agents, sent) => derive(null, /** @type {any} */ ({ outcome: { agents, totals: { sent } } })).agents

/** @param {number | undefined} columns */
const stream = columns => /** @type {any} */ ({ isTTY: true, hasColors: () => true, columns })
// eslint-disable-next-line no-control-regex
const withoutColours = (/** @type {string} */ text) => text.replace(/\x1b\[\d+m/g, '')
/** A terminal gives Chinese characters and emoji two columns. */
const widthOf = (/** @type {string} */ line) => Array.from(line).reduce((sum, character) => sum + (/[\u3000-\u9fff\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(character) ? 2 : 1), 0)
const tableLines = (/** @type {string} */ text) => withoutColours(text).split('\n').filter(line => /^[┌│├└]/.test(line))
for (const name of ['NO_COLOR', 'FORCE_COLOR']) delete process.env[name]

/**
 * A result with figures as they come, from µs to half an hour, one request per minute to millions per second.
 * @param {() => number} next
 */
function anyResult (next) {
  const among = (/** @type {any[]} */ list) => list[Math.floor(next() * list.length)]
  const upTo = (/** @type {number} */ n) => Math.floor(next() * (n + 1))
  const magnitude = (/** @type {number} */ least, /** @type {number} */ most) => Math.round(least * (most / least) ** next() * 1000) / 1000
  const latency = () => {
    const values = PERCENTILES.map(() => magnitude(0.001, 9_999_999)).sort((a, b) => a - b)
    return { ...Object.fromEntries(PERCENTILES.map((percentile, i) => [percentileKey(percentile), values[i]])), average: values[7], stddev: among([0, values[3]]), min: values[0], max: values[15], totalCount: 1 }
  }
  const series = (/** @type {number} */ most) => Object.fromEntries(['p1', 'p2_5', 'p50', 'p97_5', 'average', 'stddev', 'min'].map(key => [key, among([0, magnitude(0.01, most)])]))
  const name = () => among([
    () => among(['login', 'GET /', '結果を表示するための非常に長い名前のリクエストです結果を表示する', '👍 ok']),
    () => 'GET /' + 'x'.repeat(upTo(60)),
    () => Array.from({ length: upTo(12) }, () => 'w'.repeat(1 + upTo(9))).join(' ')
  ])() + ' ' + upTo(1e6)
  const checks = () => among([[], [{ name: 'check', passed: 1, failed: upTo(1e7), reasons: {}, samples: {} }]])
  const figure = (/** @type {string} */ unit) => ({ ms: magnitude(0.001, 9_999_999), share: next(), 'requests/s': magnitude(0.01, 1e7), 'bytes/s': magnitude(1, 1e12), count: upTo(1e9) })[unit]
  const units = ['ms', 'share', 'requests/s', 'bytes/s', 'count']
  const metric = (/** @type {string} */ unit) => {
    const [difference, low, high] = [0, 0, 0].map(() => (next() - 0.3) * magnitude(0.001, 200))
    return { metric: among(['rps', 'p99.9', 'failure rate', 'throughput']), unit, base: among([null, figure(unit)]), new: figure(unit), difference, low: among([null, low]), high, verdict: among(['better', 'worse', 'same', 'unknown']) }
  }
  return {
    ...exampleResult({ seconds: 1, perSecond: 5 }),
    duration: magnitude(0.01, 1e5),
    percentiles: among([undefined, undefined, [99.999], [50, 90, 99], PERCENTILES]),
    latency: latency(),
    serviceTime: latency(),
    rate: among([undefined, { target: 1, achieved: 1, ratio: 1, sent: 1, late: 0, unsent: 0 }]),
    requests: { ...series(9_999_999), total: 1 + upTo(1e9), sent: upTo(1e9) },
    throughput: { ...series(1e12), total: upTo(1e12) },
    statusCodeStats: { 200: { count: upTo(1e9) }, 503: { count: upTo(9) } },
    byRequest: Object.fromEntries(Array.from({ length: upTo(4) }, () => [name(), { count: upTo(1e9), errors: upTo(1e7), failures: upTo(1e9), latency: latency(), statusCodeStats: {}, checks: checks() }])),
    thresholds: Array.from({ length: upTo(3) }, () => ({ expression: `${name()}: ${among(['p99 < 50ms', 'failed checks < 0.1%'])}`, actual: figure('ms'), passed: among([true, false]), unit: 'ms' })),
    comparison: among([undefined, { runs: { base: 1, new: 3 }, metrics: units.map(metric), limits: [], notes: [] }])
  }
}

/**
 * @param {string} text of one report
 * @returns {string[][][]} the tables: rows of cells, in which lines that were wrapped are one again
 */
function read (text) {
  /** @type {string[][][]} */
  const tables = []
  let fresh = false
  for (const line of tableLines(text)) {
    if (line.startsWith('┌')) tables.push([])
    fresh ||= !line.startsWith('│')
    if (!line.startsWith('│')) continue
    const cells = line.split('│').slice(1, -1).map(cell => cell.trim())
    const rows = tables[tables.length - 1]
    if (fresh) rows.push(cells)
    else cells.forEach((cell, i) => { rows[rows.length - 1][i] += cell })
    fresh = false
  }
  return tables
}

t.test('tables fit 80 columns, whatever is in them, and a wider terminal', async t => {
  const options = { renderLatencyTable: true, renderStatusCodes: true, renderRequestTable: true }
  for (let seed = 1; seed <= 80; seed++) {
    const result = anyResult(randomFrom(seed))
    for (const [columns, most] of [seed % 2 === 0 ? [undefined, 80] : [80, 80], seed % 3 === 0 ? [0, 80] : [100, 100]]) {
      const text = printResult(result, { outputStream: stream(columns), ...options })
      const wide = tableLines(text).filter(line => widthOf(line) > most)
      if (wide.length > 0) t.fail(`seed ${seed}: ${widthOf(wide[0])} of ${most} columns`, { text: withoutColours(text) })
    }
  }
})

/**
 * The same with other numbers, as large and as small as they come, of the same kind.
 * @param {any} value
 * @param {() => number} next
 * @returns {any}
 */
function scrambled (value, next) {
  if (typeof value === 'number') {
    const other = value * 10 ** (8 * next() - 2)
    return Number.isInteger(value) ? Math.round(other) : Math.round(other * 1000) / 1000
  }
  if (Array.isArray(value)) return value.map(one => scrambled(one, next))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, scrambled(one, next)]))
}

t.test('those of stages, scenarios, agents and a search fit as well', async t => {
  const long = ['x'.repeat(60), '結果を表示するための非常に長い名前のリクエストです結果を表示する', 'a name of several words that goes on and on and on']
  const names = long.map((name, i) => `${name} ${i}`)
  const agents = names.map((name, i) => agentOutcome(i, { name, host: 'host.of.a.machine.somewhere.example', connections: 10_000, sent: 1e9, ...i === 1 && { lost: { after: 3.21, reason: 'nothing was heard of it for 30 s', missing: { share: 0.08, requests: 1234 } } } }))
  const search = { unit: 'requests/s', from: 1, to: 1e6, precision: 0.05, best: 1000, above: 2000, limit: 'server', thresholds: ['p99 < 50ms'], implied: undefined, knee: null, step: 5, steps: [] }
  const bases = [
    { part: 'byStage', result: stagedResult({ stages: ['0s:99999/s', `${'x'.repeat(60)}=100ms:99999/s`] }) },
    { part: 'byStage', result: stagedResult({ stages: ['100ms:2000', '100ms:5'], connections: undefined }) },
    { part: 'iterations', result: { ...exampleResult(), ...exampleIterations({ scenarios: names, rate: 50 }) } },
    { part: 'iterations', result: { ...exampleResult(), ...exampleIterations({ scenarios: names }) } },
    { part: 'agents', result: { ...exampleResult(), agents: agentsOf(agents.map(({ usage, ...agent }) => agent), 3e9) } },
    { part: 'search', result: { ...exampleResult(), search: { ...search, steps: names.map((_, i) => ({ value: 1000 * (i + 1), attempt: 1, outcome: i === 2 ? 'failed' : 'held', achieved: 999.5, requests: 5000, latency: { p50: 3.2, p99: 18.6, totalCount: 5000 }, thresholds: [{ metric: 'p99', actual: 55.5, unit: 'ms', passed: i < 2 }], failureRate: 0.01, certain: true, generator: { verdict: 'healthy', cause: null } })) } } }
  ]
  for (let seed = 1; seed <= 60; seed++) {
    const next = randomFrom(seed)
    for (const { part, result } of bases) {
      const columns = [80, 80, 100, 160][seed % 4]
      const given = { ...result, [part]: scrambled(result[part], next), ...result.byScenario !== undefined && { byScenario: scrambled(result.byScenario, next) } }
      const lines = tableLines(printResult(given, { outputStream: stream(columns) }))
      const wide = lines.filter(line => widthOf(line) > columns)
      if (lines.length === 0 || wide.length > 0) t.fail(`seed ${seed}, ${part}: ${wide.length > 0 ? `${widthOf(wide[0])} of ${columns} columns` : 'no table'}`, { wide: wide.slice(0, 3) })
    }
  }
})

t.test('a table that has to be narrower loses nothing', async t => {
  for (let seed = 1; seed <= 40; seed++) {
    const result = anyResult(randomFrom(seed))
    const shown = (/** @type {number} */ columns) => read(printResult(result, { outputStream: stream(columns), renderRequestTable: true }))
    const [wide, narrow] = [shown(100_000), shown(80)]
    // Tables that were broken have the same first column: put them together again.
    const whole = /** @type {string[][][]} */ ([])
    for (const rows of narrow) {
      const last = whole[whole.length - 1]
      const expected = wide[whole.length - 1]
      if (last !== undefined && last[0].length < expected[0].length) rows.forEach((cells, i) => last[i].push(...cells.slice(1)))
      else whole.push(rows)
    }
    const squeezed = (/** @type {string} */ text) => text.replaceAll(' ', '')
    t.strictSame(whole.map(rows => rows[0].map(squeezed)), wide.map(rows => rows[0].map(squeezed)), `seed ${seed}: every column`)
    t.strictSame(whole.map(rows => rows.map(([first]) => squeezed(first))), wide.map(rows => rows.map(([first]) => squeezed(first))), `seed ${seed}: every name`)
    for (const [i, rows] of whole.entries()) {
      for (const [j, cells] of rows.entries()) {
        for (const [k, cell] of cells.entries()) {
          const [is, was] = [cell, wide[i][j][k]].map(valueOf)
          if (!(is === was || Math.abs(Number(is) / Number(was) - 1) < 0.006 || Math.abs(Number(is) - Number(was)) < 0.0051)) t.fail(`seed ${seed}: ${cell} is not ${wide[i][j][k]}`)
        }
      }
    }
  }
})

/**
 * @param {string} cell
 * @returns {number | string} in ms or whole units, if it is a figure, marked or not
 */
function valueOf (cell) {
  const [, digits, unit] = /^([\d.,]+) ?(µs|ms|s|k|M|G)?\*?$/.exec(cell) ?? []
  if (digits === undefined) return cell.replace(/ (%|points)$/, '').replaceAll(' ', '')
  return Number(digits.replaceAll(',', '')) * ({ µs: 0.001, s: 1000, k: 1e3, M: 1e6, G: 1e9 }[unit] ?? 1)
}

t.test('a table is as it always was where there is room', async t => {
  const result = exampleResult(VERDICTS)
  const text = (/** @type {number} */ columns) => withoutColours(printResult(result, { outputStream: stream(columns) }))
  t.match(text(120), /│ Request +│ Count │ Req\/s │ Failures │ p2.5 {4}│ p50 {5}│ p97.5 {3}│ p99 {5}│ Avg {5}│ Max {5}│/)
  t.equal(text(120).split('┌').length - 1, 5, 'five tables')
  t.equal(text(80).split('┌').length - 1, 6, 'the table of the requests is two of them')
})

t.test('text that is too long goes on in the next line, between words where it can', async t => {
  const color = /** @type {any} */ ({ cyan: (/** @type {string} */ text) => text })
  const draw = (/** @type {number} */ columns, /** @type {string} */ text) =>
    table({ color, columns }, ['', 'n'], () => [[text, '1']], { elastic: [0] }) + '\n'
  t.equal(draw(20, 'one two three four'), `
┌──────────────┬──┐
│              │ n│
├──────────────┼──┤
│ one two three│ 1│
│ four         │  │
└──────────────┴──┘
`.slice(1))
  t.equal(draw(20, 'y'.repeat(30)), `
┌───────────────┬──┐
│               │ n│
├───────────────┼──┤
│ yyyyyyyyyyyyyy│ 1│
│ yyyyyyyyyyyyyy│  │
│ yy            │  │
└───────────────┴──┘
`.slice(1))
  t.ok(draw(20, '結果を表示するための名前').split('\n').every(line => widthOf(line) <= 20))
})
