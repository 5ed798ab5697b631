'use strict'

const t = require('tap')
const { latencyCell, milliseconds, rateCell, summaryOf } = require('../../lib/report/autocannon-9')

t.test('the summary line', async t => {
  for (const [sent, duration, options, line] of /** @type {const} */ ([
    [0, 0.001, {}, '0 requests in 0s'],
    [1, 10, {}, '1 request in 10s'],
    [9999, 10.05, {}, '9,999 requests in 10.05s'],
    [25_499, 10.05, {}, '25k requests in 10.05s'],
    [25_499, 10.05, { amount: 25_499 }, '25,499 requests in 10.05s'],
    [999_499, 100, {}, '999k requests in 100s'],
    [999_500, 100, {}, '1M requests in 100s'],
    [1_234_567, 3600.004, {}, '1.23M requests in 3600s'],
    [100_000_000, 1, {}, '100M requests in 1s'],
    [2_500_000_000, 1, {}, '2.5G requests in 1s'],
    [NaN, 1, {}, 'in 1s'],
    [12, NaN, {}, '12 requests']
  ])) t.equal(summaryOf({ requests: { sent }, duration, options }), line)
})

t.test('a cell of the table of latencies: as ever in a pipe, and as everywhere else at a terminal, where there is room', async t => {
  for (const [ms, pipe, terminal, brief] of /** @type {const} */ ([
    [0, '0 ms', '0 ms', '0 ms'],
    [0.026, '0.026 ms', '0.026 ms', '26 µs'],
    [0.331, '0.33 ms', '0.331 ms', '0.33 ms'],
    [9.996, '10.0 ms', '10.0 ms', '10.0 ms'],
    [120, '120 ms', '120 ms', '120 ms'],
    [1204.2, '1,204 ms', '1.20 s', '1.20 s']
  ])) {
    t.equal(latencyCell(ms, { brief: false }), pipe)
    t.equal(latencyCell(ms, { brief: false, wraps: true }), terminal)
    t.equal(latencyCell(ms, { brief: true, wraps: true }), brief)
  }
  t.strictSame([0, 0.0994, 0.0996, 42.42, 1234.5, NaN].map(milliseconds), ['0', '0.099', '0.10', '42.4', '1,235', '–'])
})

t.test('a cell of Req/Sec', async t => {
  t.strictSame([0, 12.345, 99.5, 1540.94, 1_234_567].map(value => rateCell(value, false)), ['0', '12.35', '99.5', '1,541', '1,234,567'])
  t.equal(rateCell(1_234_567, true), '1.23M')
})
