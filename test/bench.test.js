'use strict'

const { execFile, spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { readCounts } = require('../bench/peers/cost')
const { judge } = require('../bench/peers/judge')
const { choose } = require('../bench/program')
const { missing } = require('./helpers/missing')

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

t.test('the counts of perf are read', async t => {
  const whole = '# started on Sat Nov 21 14:42:07 2026\n\n1000,,instructions:u,900,100.00,,\n2000,,instructions:k,900,100.00,,\n'
  t.equal(readCounts(whole), 3000)
  t.equal(readCounts(whole, 'k'), 2000)
  t.equal(readCounts('30,,cpu_core/instructions:u/,0,100.00,,\n2,,cpu_atom/instructions:k/,0,100.00,,\n5,msec,task-clock,0,100.00,,\n'), 32)
  t.equal(readCounts('<not supported>,,instructions:u,0,100.00,,\n<not counted>,,instructions:k,0,100.00,,\n'), 0)
})

t.test('the verdict names what is out of its bound, and what nothing was there to compare with', async t => {
  const row = (cost, rate = 20_000) => ({ cost, rate, bytesPerSecond: 130 })
  const p1 = { ours: row(20), wrk: row(20), 'autocannon 9': row(50) }
  const fine = { misses: [], unjudged: [] }
  t.strictSame(judge({ p1 }), fine, 'on the bound')
  t.strictSame(judge({ p1: { ...p1, ours: row(20.01) } }).misses, ['pipelining 1 beside autocannon 9: 0.40, at most 0.40'])
  t.strictSame(judge({ p1: { ours: row(20) } }), { misses: [], unjudged: ['pipelining 1 beside autocannon 9', 'pipelining 1 beside wrk'] })
  t.strictSame(judge({ p1, workers: { ours: row(23) } }), fine, 'beside our own')
  t.strictSame(judge({ p1, workers: { ours: row(24) } }).misses, ['2 workers on one core beside our pipelining 1: 1.20, at most 1.15'])
  t.strictSame(judge({ workers: { ours: row(22) } }).unjudged, ['2 workers on one core beside our pipelining 1'])
  t.match(judge({ p1, rate: { ours: row(20, 19_000) } }).misses, [/only 19,000 requests\/s/])
  t.strictSame(judge({ large: { ours: row(1), 'autocannon 9': { ...row(9), bytesPerSecond: 100 } } }), fine)
  t.match(judge({ large: { ours: row(1), 'autocannon 9': { ...row(9), bytesPerSecond: 101 } } }).misses, [/1\.29 × the bytes\/s/])
  const memory = rss => judge({ 'http2-memory': { ours: { ...row(1), rss } } })
  t.strictSame(memory(120 * 2 ** 20), fine)
  t.match(memory(121 * 2 ** 20).misses, [/121\.0 MiB, at most 120$/])
  t.match(memory(NaN).misses, [/NaN MiB/], 'what was not measured has not passed')
  t.strictSame(judge({ p1: { ours: row(21), base: row(20) } }), fine, 'beside another checkout nothing else is judged')
  t.strictSame(judge({ p1: { ours: row(22), base: row(20) } }).misses, ['pipelining 1 beside base: 1.10, at most 1.05'])
  t.strictSame(judge({ p1: { ours: row(21), base: { ...row(20), counted: true } } }).misses, ['pipelining 1 beside base: 1.05, at most 1.02'])
})

t.test('--only takes names of cases, and what stands before their dash', async t => {
  const names = ['p1', 'http2-a', 'http2-b', 'http']
  t.strictSame(choose(undefined, names), names)
  t.strictSame(choose('http2,p1', names), ['http2-a', 'http2-b', 'p1'])
  t.strictSame(choose('http2-b', names), ['http2-b'])
  t.throws(() => choose('http2-', names), 'there is no such name')
})

t.test('a bench says what is wrong with what it was given', async t => {
  for (const [file, args, problem] of [
    ['peers.js', ['--only', 'p1,nope'], /^--only knows no "nope"; there are p1, .*startMany\n$/],
    ['peers.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['peers.js', ['--rounds', '0'], /^--rounds has to be a whole number from 1 on, not "0"\n$/],
    ['live-terminal.js', ['--seconds', '0'], /^--seconds has to be a number above 0, not "0"\n$/],
    ['pace-cost.js', ['--seconds', 'x'], /^--seconds has to be a number above 0, not "x"\n$/],
    ['growth.js', ['--seconds', 'x'], /^--seconds has to be a number above 0, not "x"\n$/],
    ['accuracy.js', ['--only', 'stall,nope'], /^--only knows no "nope"; there are .*stall.*\n$/],
    ['soak.js', ['--minutes', '-1'], /^Option '--minutes' argument is ambiguous[^]*$/],
    ['soak.js', ['--minutes=-1'], /^--minutes has to be a number above 0, not "-1"\n$/],
    ['footprint.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['guard.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['report-demo.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['../test/fuzz/run.js', ['--help'], /^Unknown option '--help'. The flags are --seconds, --seed, --only\n$/],
    ['pipelining.js', ['--seconds', '0'], /^--seconds has to be a number above 0, not "0"\n$/]
  ]) {
    const { code, output } = await run(file, args)
    t.equal(code, 2)
    t.match(output, problem)
  }
})

t.test('the cheap cases of the accuracy bench are within their bounds', { timeout: 120_000 }, async t => {
  const { code, output } = await run('accuracy.js', ['--quick', '--only', 'hang,bimodal'])
  t.equal(code, 0, output)
  t.match(output, 'Every figure is within its bound.')
})

const noBash = spawnSync('bash', ['-c', ':']).status !== 0 && missing('there is no bash, whose `time` measures what a program costs: install it (Debian: apt-get install bash)')

t.test('a request costs not much more than reading and writing it', { timeout: 120_000, skip: noBash }, async t => {
  const { code, output } = await run('guard.js')
  t.comment(output)
  t.equal(code, 0, output)
  t.match(output, /✓ p1: .*\n(✗.*\n)*✓ p10: /)
})
