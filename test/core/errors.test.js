'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { CODES, FOREIGN_CODES, AutocannonError, hintOf } = require('../../lib/core/errors')
const { TABLE } = require('../../lib/options/table')

t.test('docs/errors.md has every code with its meaning and what to do, and no other', async t => {
  const docs = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8')
  const rows = [...docs.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)].map(([, code, meaning, hint]) => [code, { meaning, hint }])
  const all = Object.entries({ ...CODES, ...FOREIGN_CODES }).map(([code, meaning]) => [code, { meaning, hint: hintOf(code) ?? '–' }])
  t.same(Object.fromEntries(rows), Object.fromEntries(all))
})

t.test('what a request can end with has a hint: a sentence of one line that names no option which there is not', async t => {
  const flags = new Set(TABLE.flatMap(({ name, aliases = [], negated }) => [name, ...aliases, ...negated ? [`no-${name}`] : []]))
  const ownFlags = ['allow', 'max-http-header-size', 'ulimit']
  const ended = [...Object.keys(FOREIGN_CODES), ...Object.keys(CODES).slice(Object.keys(CODES).indexOf('AC_TIMEOUT'))].filter(code => code !== 'AC_KEY')
  for (const code of ended) {
    const hint = hintOf(code) ?? ''
    t.match(hint, /^[A-Z-][^\n|]*[.?:]?[.?]$/, code)
    for (const [, flag] of hint.matchAll(/--([a-zA-Z-]+)/g)) t.ok(flags.has(flag) || ownFlags.includes(flag), `${code}: --${flag}`)
  }
  for (const code of ['AC_OPTIONS', 'ESTRANGE', 'toString', '__proto__']) t.equal(hintOf(code), undefined, code)
})

t.test('an error without words of its own says what its code means', async t => {
  for (const [code, meaning] of Object.entries(CODES)) {
    const error = new AutocannonError(code)
    t.match(error, { name: 'AutocannonError', code, message: meaning })
  }
})
