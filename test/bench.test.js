'use strict'

const { execFile } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')

/**
 * @param {string} file
 * @param {string[]} [args]
 * @param {Record<string, string>} [env]
 * @returns {Promise<{ code: number, output: string }>}
 */
function run (file, args = [], env = {}) {
  return new Promise(resolve => {
    execFile(process.execPath, [join(__dirname, '../bench', file), ...args], { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }))
  })
}

t.test('the demo of the report writes its page', async t => {
  const folder = t.testdir()
  const file = join(folder, 'demo.html')
  const { code, output } = await run('report-demo.js', [file], { DEMO_SECONDS: '0.5' })
  t.equal(code, 0, output)
  const page = readFileSync(file, 'utf8')
  t.match(page, /<strong>Shop 1\.1<\/strong>/)
  t.match(page, /Compared with <strong>Shop 1\.0<\/strong>/)
})

t.test('the cheap cases of the accuracy bench are within their bounds', { timeout: 120_000 }, async t => {
  const { code, output } = await run('accuracy.js', ['--quick', '--only', 'hang,bimodal'])
  t.equal(code, 0, output)
  t.match(output, 'Every figure is within its bound.')
})

t.test('a request costs not much more than reading and writing it', { timeout: 120_000 }, async t => {
  const { code, output } = await run('guard.js')
  t.comment(output)
  t.equal(code, 0, output)
  t.match(output, /✓ p1: .*\n(✗.*\n)*✓ p10: /)
})
