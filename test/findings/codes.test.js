'use strict'

// The codes of findings are the same in the sentences, the docs, the schema and the types.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { findingsOf } = require('../../lib/findings/findings')
const { WORDS, noteOf } = require('../../lib/words/findings')
const judgements = require('../../lib/words/judgements')
const { exampleResult } = require('../helpers/results/example-result')

const read = (/** @type {string} */ file) => readFileSync(path.join(__dirname, '../..', file), 'utf8')
const codes = Object.keys(WORDS).sort()
/** Of verdicts; two of them are findings of a run as well. */
const reasons = Object.keys(judgements.WORDS).filter(code => !codes.includes(code)).sort()
const shared = Object.keys(judgements.WORDS).filter(code => codes.includes(code)).sort()

t.test('docs/findings.md has each code once', async t => {
  const [table] = read('docs/findings.md').split('More on agents')
  t.strictSame([...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code).sort(), codes)
})

t.test('so has the schema of results', async t => {
  t.strictSame([...JSON.parse(read('docs/result.schema.json')).properties.findings.items.properties.code.enum].sort(), codes)
})

t.test('and the types', async t => {
  const [, union] = /type FindingCode =\n([^]*?)\n\n/.exec(read('index.d.ts')) ?? []
  t.strictSame([...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code).sort(), codes)
})

t.test('the codes of verdicts are in the docs, the schema and the types', async t => {
  const [, table] = read('docs/findings.md').split('## Reasons of verdicts')
  t.strictSame([...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code).sort(), reasons)
  t.strictSame([...JSON.parse(read('docs/result.schema.json')).$defs.reason.properties.code.enum].sort(), [...reasons, ...shared].sort())
  const [, union] = /type JudgementCode =\n([^]*?)\n\n/.exec(read('index.d.ts')) ?? []
  t.strictSame([...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code).sort(), reasons)
})

t.test('facts of the load generator are data: its sentence is in the result', async t => {
  const cause = 'The load generator used 99 % of its event loop: the figures show the client.'
  const result = { ...exampleResult(), generator: { verdict: 'saturated', reason: 'full', cause, cpu: 0.99, saturated: true } }
  const found = findingsOf(result).find(({ code }) => code === 'load-generator')
  t.strictSame(found, { code: 'load-generator', severity: 'warning', facts: { verdict: 'saturated', reason: 'full', cpu: 0.99 } })
  t.match(noteOf(found, result).text ?? noteOf(found, result), cause)
})
