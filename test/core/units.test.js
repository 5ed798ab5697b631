'use strict'

const { inspect } = require('node:util')
const t = require('tap')
const { formatBeside, formatBytes, formatDifference, formatDuration, formatInteger, formatLatencies, formatLatency, formatPercent, formatRate, formatValue, plural } = require('../../lib/core/units')

/** Each row is the arguments, then what comes of them. */
const tables = {
  formatLatency: [formatLatency, [
    [0, '0 ms'],
    [0.001, '0.001 ms'],
    [0.026, '0.026 ms'],
    [0.0996, '0.100 ms'],
    [0.728, '0.728 ms'],
    [1, '1.00 ms'],
    [5.953, '5.95 ms'],
    [9.996, '10.0 ms'],
    [99.94, '99.9 ms'],
    [99.96, '100 ms'],
    [102.3, '102 ms'],
    [999.4, '999 ms'],
    [999.6, '1.00 s'],
    [1502, '1.50 s'],
    [12_100, '12.1 s'],
    [1_204_000, '1,204 s'],
    [NaN, '–'],
    [null, '–'],
    [undefined, '–']
  ]],
  formatLatencies: [formatLatencies, [
    [0.728, 0.912, '0.728 – 0.912 ms'],
    [950, 1100, '950 ms – 1.10 s']
  ]],
  formatDuration: [formatDuration, [
    [0, '0 s'],
    [0.001, '0.001 s'],
    [0.08, '0.08 s'],
    [6, '6 s'],
    [6.006, '6.01 s'],
    [100, '100 s'],
    [119.99, '119.99 s'],
    [119.996, '2 min'],
    [200.4, '3 min 20 s'],
    [7199.6, '2 h'],
    [7505, '2 h 5 min'],
    [86_400, '24 h'],
    [NaN, '–']
  ]],
  formatInteger: [formatInteger, [
    [0, '0'],
    [-0.2, '0'],
    [999, '999'],
    [1204, '1,204'],
    [-1204, '-1,204'],
    [1234567.6, '1,234,568'],
    [NaN, '–']
  ]],
  formatRate: [formatRate, [
    [0, '0'],
    [0.5, '0.5'],
    [3.494, '3.49'],
    [95.14, '95.1'],
    [99.96, '100'],
    [8359.4, '8,359'],
    [1_234_567, '1,234,567'],
    [NaN, '–']
  ]],
  formatPercent: [formatPercent, [
    [0, '0 %'],
    [0.0000341, '<0.01 %'],
    [0.000123, '0.012 %'],
    [0.0098, '0.98 %'],
    [0.02076, '2.1 %'],
    [0.0996, '10 %'],
    [0.1347, '13.5 %'],
    [0.97, '97 %'],
    [0.9999999, '99.9 %'],
    [1, '100 %'],
    [1.847, '185 %'],
    [0.99996, 4, '99.99 %'],
    [NaN, '–']
  ]],
  formatBytes: [formatBytes, [
    [0, '0 B'],
    [118.3, '118 B'],
    [999, '999 B'],
    [16_000, '16 kB'],
    [999_999, '1 MB'],
    [2_840_000, '2.84 MB'],
    [1_000_000_000, '1 GB'],
    [NaN, '–']
  ]],
  formatValue: [formatValue, [
    ['ms', 5.953, '5.95 ms'],
    ['%', 2.076, '2.1 %'],
    ['MB', 81.25, '81.3 MB'],
    ['req/s', 8359.4, '8,359 req/s'],
    ['/s', 2.5, '2.5'],
    ['', 12, '12'],
    ['ms', null, '–']
  ]],
  formatDifference: [formatDifference, [
    ['ms', null, '–'],
    ['ms', 0, '0 %'],
    ['ms', 0.053, '+5.3 %'],
    ['ms', -0.12, '−12 %'],
    ['ms', 1.54, '+154 %'],
    ['ms', 11, '×12'],
    ['share', 0.0123, '+1.23 points']
  ]],
  plural: [plural, [
    [0, 'error', '0 errors'],
    [1, 'error', '1 error'],
    [2, 'error', '2 errors'],
    [1204, 'error', '1,204 errors'],
    [1, 'entry', 'entries', '1 entry'],
    [3, 'entry', 'entries', '3 entries']
  ]]
}

for (const [name, [format, rows]] of Object.entries(tables)) {
  t.test(name, async t => {
    for (const row of rows) {
      const given = row.slice(0, -1)
      t.strictSame(format(...given), row.at(-1), inspect(given))
    }
  })
}

t.test('a value beside its limit has as many digits as it takes to tell them apart', async t => {
  for (const [format, value, limit, shown] of /** @type {Array<[(value: number, digits?: number) => string, number, number, string]>} */ ([
    [formatLatency, 12.34, 50, '12.3 ms'],
    [formatLatency, 50, 50, '50.0 ms'],
    [formatLatency, 50.02, 50, '50.02 ms'],
    [formatLatency, 999.9, 1000, '0.9999 s'],
    [formatRate, 11.987, 12, '11.99'],
    [formatRate, 1000.4, 1000, '1,000.4'],
    [formatPercent, 0.01004, 0.01, '1.004 %'],
    [formatPercent, 0.99996, 0.9999, '99.996 %'],
    [formatBytes, 1_000_100, 1_000_000, '1.0001 MB']
  ])) t.equal(formatBeside(format, value, limit), shown)
})

t.test('a value beside any other one never looks equal to it', async t => {
  for (const format of [formatLatency, formatRate, formatPercent, formatBytes]) {
    for (let limit = 0.001; limit < 1e7; limit *= 3.7) {
      for (const factor of [0.5, 0.99, 0.9999, 1.000001, 1.01, 3]) t.not(formatBeside(format, limit * factor, limit), format(limit), `${limit * factor} beside ${limit}`)
    }
  }
})
