'use strict'

// The codes of findings are the same in the sentences, the docs, the schema and the types. UPDATE_GOLDEN=1 writes the schema and the types from docs/findings.md.

const t = require('tap')
const { readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { findingsOf } = require('../../lib/findings/findings')
const { WORDS, noteOf } = require('../../lib/words/findings')
const judgements = require('../../lib/words/judgements')
const { exampleResult } = require('../helpers/results/example-result')

const ROOT = path.join(__dirname, '../..')
const SCHEMA = 'docs/result.schema.json'
const TYPES = 'index.d.ts'
const UPDATE = 'UPDATE_GOLDEN=1 node test/findings/codes.test.js writes them'
const read = (/** @type {string} */ file) => readFileSync(path.join(ROOT, file), 'utf8')
const codes = Object.keys(WORDS).sort()
const documented = [...read('docs/findings.md').split('More on agents')[0].matchAll(/^\| `([\w-]+)` \|/gm)].map(([, code]) => code)
/** Of verdicts; two of them are findings of a run as well. */
const reasons = Object.keys(judgements.WORDS).filter(code => !codes.includes(code)).sort()
const shared = Object.keys(judgements.WORDS).filter(code => codes.includes(code)).sort()

t.test('docs/findings.md has each code once', async t => {
  t.strictSame(documented.toSorted(), codes)
})

t.test('so has the schema of results, in that order', async t => {
  const text = read(SCHEMA)
  const schema = JSON.parse(text)
  const { code } = schema.properties.findings.items.properties
  if (process.env.UPDATE_GOLDEN) {
    code.enum = documented
    return writeFileSync(path.join(ROOT, SCHEMA), `${JSON.stringify(schema, null, 2)}\n`)
  }
  t.strictSame(code.enum, documented, UPDATE)
})

t.test('and the types', async t => {
  const types = read(TYPES)
  if (process.env.UPDATE_GOLDEN) {
    const union = documented.map(code => `    | '${code}'\n`).join('')
    return writeFileSync(path.join(ROOT, TYPES), types.replace(/(?<=type FindingCode =\n)[^]*?(?=\n\n)/, union.trimEnd()))
  }
  const [, union] = /type FindingCode =\n([^]*?)\n\n/.exec(types) ?? []
  t.strictSame([...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code), documented, UPDATE)
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
