'use strict'

const { execFile } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { setTimeout } = require('node:timers/promises')
const t = require('tap')
const { readCounts } = require('../bench/peers/cost')
const { split, watch } = require('../bench/peers/warm')

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

const looks = [[1000, 5], [1500, 5], [1900, 15], [2100, 65], [2200, 85], [2300, 105], [2400, 105]]
  .map(([instructions, requests]) => ({ instructions, requests }))

t.test('a run costs something once and something per request of a warm program', async t => {
  // Between 60 % and 95 % of the 100 requests, 5 instructions each; the other 900 are of no request.
  t.strictSame(split(looks), { instructions: 200, requests: 40, once: 900 })
  t.throws(() => split(looks.slice(0, 1)), /too short/)
})

t.test('a run is looked at when something has been counted', async t => {
  let at = 0
  let asked = 0
  const counted = looks.flatMap(look => [look, look])
  const stop = watch(() => counted[at].instructions, async () => { asked++; return counted[at].requests }, 1)
  while (at < counted.length - 1) {
    await setTimeout(5)
    at++
  }
  t.strictSame(await stop(), split(looks))
  t.equal(asked, looks.length)
})

t.test('the counts of perf are read, of whole runs and of intervals', async t => {
  const whole = '# started on Sat Nov 21 14:42:07 2026\n\n1000,,instructions:u,900,100.00,,\n2000,,instructions:k,900,100.00,,\n'
  t.equal(readCounts(whole), 3000)
  const intervals = [
    '     0.500329788,1000,,instructions:u,883254,100.00,0.004,insn per cycle',
    '     0.500329788,<not counted>,,instructions:k,0,100.00,,',
    '     1.000808708,30,,cpu_core/instructions:u/,0,100.00,,',
    '    11.000808708,2,,cpu_atom/instructions:k/,0,100.00,,',
    '    11.000808708,5,msec,task-clock,0,100.00,,'
  ]
  t.equal(readCounts(intervals.join('\n')), 1032)
  t.equal(readCounts('<not supported>,,instructions:u,0,100.00,,\n'), 0)
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
