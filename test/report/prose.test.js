'use strict'

// Sentences at a terminal: broken between words, and nowhere in a pipe.

const t = require('tap')
const { createColors } = require('picocolors')
const { printResult } = require('../../lib/report/text')
const { wrapped } = require('../../lib/report/prose')
const { exampleResult } = require('../helpers/results/example-result')

const { yellow } = createColors(true)

t.test('a sentence is broken between words where the screen wraps', async t => {
  t.equal(wrapped('The runs vary too much to tell.', { columns: 16, wraps: true }), 'The runs vary\ntoo much to\ntell.')
  t.equal(wrapped('The runs vary too much to tell.', { columns: 16 }), 'The runs vary too much to tell.')
  t.equal(wrapped('  3 × status 500 of items', { columns: 14, wraps: true }), '  3 × status\n  500 of items', 'what is indented stays so')
  t.equal(wrapped('see http://localhost:3000/a/long/path there', { columns: 12, wraps: true }), 'see\nhttp://localhost:3000/a/long/path\nthere', 'an address can be copied')
})

t.test('colours take no room, and a table is left alone', async t => {
  t.equal(wrapped(yellow('one two'), { columns: 7, wraps: true }), yellow('one two'))
  t.equal(wrapped(yellow('one two'), { columns: 6, wraps: true }), yellow('one\ntwo'))
  t.equal(wrapped('│ a b │\n└─────┘', { columns: 3, wraps: true }), '│ a b │\n└─────┘')
})

t.test('a whole report fits a terminal, and is whole lines in a pipe', async t => {
  const cause = 'The load generator had a CPU wait of 46 %, as other processes used its core: latencies are too high, p99 above all, and the achieved rate is too low.'
  const result = exampleResult({ generator: { ...exampleResult().generator, verdict: 'starved', cause } })
  const shown = (/** @type {object} */ stream) => printResult(result, { outputStream: /** @type {any} */ (stream) })
  for (const columns of [80, 120]) t.notMatch(shown({ isTTY: true, columns, hasColors: () => false }), new RegExp(`.{${columns + 1}}`))
  t.match(shown({}), `\n${cause}\n`)
})
