'use strict'

const t = require('tap')
const { exampleResult } = require('../helpers/results/example-result')
const { randomFrom } = require('../../lib/core/random')
const { Histogram } = require('../../lib/record/histogram')
const { latencyChart } = require('../../lib/report/latency-chart')
const { printResult } = require('../../lib/report/text')

const plain = /** @type {any} */ ({ dim: String, cyan: String })

/**
 * @param {number[]} ms
 * @returns {Record<string, any>} as a result has it
 */
function latencyOf (ms) {
  const histogram = new Histogram()
  for (const value of ms) histogram.record(value)
  return { ...histogram.summary(), histogram: histogram.toBase64() }
}

t.test('a run', async t => {
  t.strictSame(latencyChart(exampleResult().latency, { columns: 60, color: plain }), [
    '      3 – 5 ms  13.3 % ███████████▏',
    '      5 – 7 ms  36.1 % ██████████████████████████████',
    '     7 – 10 ms  33.4 % ███████████████████████████▊ p50',
    '    10 – 15 ms  15.1 % ████████████▌ p90',
    '    15 – 20 ms     0 %',
    '    20 – 30 ms     0 %',
    '    30 – 50 ms  0.38 % ▍',
    '    50 – 70 ms  0.53 % ▌',
    '   70 – 100 ms  0.53 % ▌ p99',
    '  100 – 150 ms  0.48 % ▍',
    '  150 – 200 ms     0 %',
    '  200 ms – 1 s  0.18 % ▏ p99.9'
  ])
})

t.test('one value, or as good as one, is one bar', async t => {
  t.strictSame(latencyChart(latencyOf([2, 2, 2]), { columns: 40, color: plain }), ['  2 ms  100 % █████████████████████ p50'])
  t.equal(latencyChart(latencyOf([0.001]), { columns: 40, color: plain }).length, 1)
})

t.test('without a histogram, without values, and with something else in its place there is none', async t => {
  for (const latency of [{ totalCount: 3 }, { ...latencyOf([]), totalCount: 0 }, { histogram: 'x', totalCount: 3 }, { histogram: 5, totalCount: 3 }]) {
    t.strictSame(latencyChart(latency, { columns: 80, color: plain }), [])
  }
})

t.test('it has as many lines as it may, fits, and its ranges have all values in turn', async t => {
  for (let seed = 1; seed <= 300; seed++) {
    const next = randomFrom(seed)
    const [low, spread] = [0.001 * 1e6 ** next(), 1.0001 * 1000 ** (next() * next())]
    const ms = Array.from({ length: 1 + Math.floor(next() * 300) }, () => Math.min(3.5e6, low * spread ** next() * (next() < 0.02 ? 50 : 1)))
    const [columns, rows] = [60 + Math.floor(next() * 60), 3 + Math.floor(next() * 12)]
    const lines = latencyChart(latencyOf(ms), { columns, color: plain }, rows)
    const wrong = lines.filter(line => line.length > columns - 1)
    if (lines.length > rows || lines.length === 0 || wrong.length > 0) t.fail(`seed ${seed}: ${lines.length} of ${rows} lines`, { lines, columns })
    const shares = lines.map(line => Number(/(?:<)?([\d.]+) %/.exec(line)?.[1]))
    const all = shares.reduce((sum, share) => sum + share, 0)
    if (Math.abs(all - 100) > 0.1 * rows) t.fail(`seed ${seed}: ${all} %`, { lines })
    if (!(shares[0] > 0) || !(shares[shares.length - 1] > 0)) t.fail(`seed ${seed}: empty at an end`, { lines })
  }
})

t.test('the report has it where it is asked for', async t => {
  const outputStream = /** @type {any} */ ({ isTTY: false })
  const result = exampleResult()
  t.match(printResult(result, { outputStream, renderLatencyChart: true }), '┘\n\n      3 – 5 ms  13.3 % ██')
  t.notMatch(printResult(result, { outputStream }), ' – 5 ms ')
  t.notMatch(printResult({ ...result, latency: { ...result.latency, histogram: undefined } }, { outputStream, renderLatencyChart: true }), ' – 5 ms ')
})
