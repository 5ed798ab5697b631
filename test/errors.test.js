'use strict'

const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { CODES, FOREIGN_CODES, AutocannonError } = require('../lib/errors')

t.test('docs/errors.md has every code with its meaning, and no other', async t => {
  const docs = readFileSync(join(__dirname, '../docs/errors.md'), 'utf8')
  const rows = [...docs.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, code, meaning]) => [code, meaning])
  t.same(Object.fromEntries(rows), { ...CODES, ...FOREIGN_CODES })
})

t.test('an error without words of its own says what its code means', async t => {
  for (const [code, meaning] of Object.entries(CODES)) {
    const error = new AutocannonError(code)
    t.match(error, { name: 'AutocannonError', code, message: meaning })
  }
})
