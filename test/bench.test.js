'use strict'

const { execFile } = require('node:child_process')
const { join } = require('node:path')
const t = require('tap')

const BENCH = join(__dirname, '../bench/accuracy.js')

t.test('the cheap cases of the accuracy bench are within their bounds', { timeout: 120_000 }, async t => {
  const { code, output } = await new Promise(resolve => {
    execFile(process.execPath, [BENCH, '--quick', '--only', 'hang,bimodal'], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }))
  })
  t.equal(code, 0, output)
  t.match(output, 'Every figure is within its bound.')
})
