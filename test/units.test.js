'use strict'

const { inspect } = require('node:util')
const t = require('tap')
const { parseSeconds, formatMs, formatInteger, formatCount, formatBytes, formatSeconds, plural } = require('../lib/units')

/** Each row is the arguments, then what comes of them. */
const tables = {
  parseSeconds: [parseSeconds, [
    [10, 10],
    [0.5, 0.5],
    [0, 0],
    [-1, -1],
    ['10', 10],
    ['2.5', 2.5],
    [' 3 ', 3],
    ['1s', 1],
    ['1m30s', 90],
    ['1h', 3600],
    ['2 min', 120],
    ['500ms', 0.5],
    ['1m 1.5s', 61.5],
    ['', NaN],
    ['  ', NaN],
    ['soon', NaN],
    ['10 parsecs', NaN],
    [undefined, NaN],
    [null, NaN],
    [true, NaN],
    [[], NaN],
    [['1'], NaN],
    [{}, NaN]
  ]],
  formatMs: [formatMs, [
    [0, '0'],
    [0.001, '0.001'],
    [0.099, '0.099'],
    [0.0994, '0.099'],
    [0.0996, '0.10'],
    [0.412, '0.41'],
    [1, '1.00'],
    [9.994, '9.99'],
    [9.996, '10.0'],
    [42.42, '42.4'],
    [99.94, '99.9'],
    [99.96, '100'],
    [1234.5, '1,235'],
    [3_600_000, '3,600,000']
  ]],
  formatInteger: [formatInteger, [
    [0, '0'],
    [999, '999'],
    [1204, '1,204'],
    [1234567.6, '1,234,568']
  ]],
  formatCount: [formatCount, [
    [0, '0'],
    [999, '999'],
    [999.4, '999'],
    [999.6, '1k'],
    [1000, '1k'],
    [1499, '1k'],
    [25_000, '25k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_234_567, '1.23M'],
    [10_000_000, '10M'],
    [100_000_000, '100M'],
    [999_500_000, '1G'],
    [2_500_000_000, '2.5G'],
    [999_000_000_000, '999G'],
    [1_000_000_000_000, '1000G']
  ]],
  formatBytes: [formatBytes, [
    [0, '0 B'],
    [999, '999 B'],
    [2_840_000, '2.84 MB'],
    [1_000_000_000, '1 GB']
  ]],
  formatSeconds: [formatSeconds, [
    [0, '0s'],
    [0.001, '0s'],
    [0.08, '0.08s'],
    [0.5, '0.5s'],
    [10, '10s'],
    [10.05, '10.05s'],
    [100, '100s'],
    [3600.004, '3600s']
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

t.test('every count has at most four digits and a suffix', async t => {
  for (let n = 1; n < 1e12; n = Math.ceil(n * 1.07)) {
    t.match(formatCount(n), /^\d{1,3}(\.\d{1,2})?[kMG]?$/, String(n))
  }
})
