'use strict'

const { execFile } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { steady } = require('../bench/emulation/counter')

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

t.test('of an emulated run the warm part is looked at', async t => {
  const samples = [[10, 5], [90, 15], [400, 65], [500, 85], [600, 105], [900, 105]].map(([instructions, requests]) => ({ instructions, requests }))
  t.strictSame(steady(samples), { instructions: 200, requests: 40 }, 'from 60 % to 95 % of the requests')
  t.throws(() => steady(samples.slice(0, 1)), /too short/)
})

t.test('the bench says what is wrong with what it was given', async t => {
  for (const [args, problem] of [
    [['--only', 'p1,nope'], /^There is no case "nope"; there are p1, .*workers\n$/],
    [['--nope'], /^Unknown option '--nope'[^\n]*\n$/]
  ]) {
    const { code, output } = await run('peers.js', args)
    t.equal(code, 2)
    t.match(output, problem)
  }
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
