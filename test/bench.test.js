'use strict'

const { execFile } = require('node:child_process')
const { join } = require('node:path')
const t = require('tap')

/**
 * @param {string} file
 * @param {string[]} [args]
 * @returns {Promise<{ code: number, output: string }>}
 */
function run (file, args = []) {
  return new Promise(resolve => {
    execFile(process.execPath, [join(__dirname, '../bench', file), ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }))
  })
}

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
