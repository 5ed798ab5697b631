'use strict'

const { inspect } = require('node:util')
const t = require('tap')
const { parseSeconds } = require('../../lib/core/numbers')

t.test('parseSeconds', async t => {
  const rows = [
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
  ]
  for (const [given, seconds] of rows) t.strictSame(parseSeconds(given), seconds, inspect(given))
})
