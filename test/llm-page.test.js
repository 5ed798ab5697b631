'use strict'

// docs/llm.md: the example of a trace runs as it stands there, with the body that the page shows.

const { readFileSync } = require('node:fs')
const path = require('node:path')
const t = require('tap')
const { cli } = require('./helpers/processes/cli')

const read = name => readFileSync(path.join(__dirname, '..', name), 'utf8')

t.test('the example of a trace replays it', async t => {
  const page = read('docs/llm.md')
  t.ok(page.includes(`\`\`\`json\n${read('samples/llm/replay.json')}\`\`\`\n`), 'the body')
  const [, command] = /^autocannon (.* --replay .*)$/m.exec(page)
  const { stdout, stderr, code } = await cli(['--json', ...command.split(' ')], { cwd: path.join(__dirname, '..') })
  t.equal(code, 0, stderr)
  const rows = read('samples/llm/trace.csv').trim().split('\n').slice(1).map(row => row.split(',').map(Number))
  const { streams, rate } = JSON.parse(stdout)
  t.match(rate, { sent: rows.length, unsent: 0 })
  t.equal(streams.tokens.total, rows.reduce((sum, [,, output]) => sum + output, 0))
})
