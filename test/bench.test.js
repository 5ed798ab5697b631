'use strict'

const { execFile, spawnSync } = require('node:child_process')
const { readFileSync, readdirSync } = require('node:fs')
const { join } = require('node:path')
const t = require('tap')
const { readCounts } = require('../bench/peers/cost')
const { judge } = require('../bench/peers/judge')
const { compared } = require('../bench/peers/paired')
const { withBlocks } = require('../bench/peers/table')
const { chartOf, claimOf, rowsIn } = require('../bench/arrival/chart')
const { withBlock } = require('../bench/markdown')
const { CASES, SIMULATED } = require('../bench/accuracy/cases')
const { quoted } = require('../bench/accuracy/rows')
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

/**
 * @param {number} cost
 * @param {Record<string, number>} [more]
 */
const row = (cost, more = {}) => ({ cost, rate: 20_000, bytesPerSecond: 130, rss: 2 ** 20, p50: 1, p99: 2, ...more })

t.test('a ratio is the median of those of each round, whatever the rounds have in common', async t => {
  // The machine is three times as slow in the second round: the medians of the costs would say 2.5.
  const { tools, ratios } = compared('p1', [
    { ours: row(2), wrk: row(2) }, { ours: row(6), wrk: row(5) }, { ours: row(5), wrk: row(2) }
  ])
  t.strictSame(ratios, { wrk: { median: 1.2, low: 1, high: 2.5, rounds: 3 } })
  t.equal(tools.ours.cost, 5)
  t.equal(tools.wrk.cost, 2)
  const even = compared('p1', [{ ours: row(1), wrk: row(1) }, { ours: row(3), wrk: row(1) }])
  t.equal(even.ratios.wrk.median, 2)
  t.equal(even.tools.ours.cost, 2)
})

t.test('what a tool does not report is in no median, and a round in which a rate was not reached is in no ratio', async t => {
  const { tools } = compared('p1', [{ ours: row(1, { p50: NaN }) }, { ours: row(1) }])
  t.notOk(Object.hasOwn(tools.ours, 'p50'))
  t.equal(tools.ours.p99, 2)
  const behind = compared('rate', [
    { ours: row(1, { rate: 19_000 }), oha: row(1) }, { ours: row(3), oha: row(1) }, { ours: row(1), oha: row(1, { rate: 10 }) }
  ])
  t.strictSame(behind.ratios, { oha: { median: 3, low: 3, high: 3, rounds: 1 } })
  t.strictSame(compared('rate', [{ ours: row(1, { rate: 1 }), oha: row(1) }]).ratios, {})
})

t.test('the verdict names what is out of its bound, and what nothing was there to compare with', async t => {
  const of = (name, rows, how = { base: false, counted: false }) => judge({ [name]: compared(name, [rows]) }, how)
  const fine = { misses: [], unjudged: [] }
  const peers = { wrk: row(26), 'native floor': row(20), 'autocannon 9': row(34.6), 'p1/node': row(31) }
  t.strictSame(of('p1', { ours: row(22.49), ...peers }), fine, 'on the bound')
  t.strictSame(of('p1', { ours: row(22.51), ...peers }).misses, ['pipelining 1 beside autocannon 9: 0.65, at most 0.65'])
  t.strictSame(of('p1', { ours: row(20) }), { misses: [], unjudged: ['pipelining 1 beside autocannon 9', 'pipelining 1 beside native floor', 'pipelining 1 beside wrk', 'pipelining 1 beside our pipelining 1, `--sockets node`'] })
  t.strictSame(of('p1', { ours: row(22.4), ...peers, 'p1/node': row(17.92), 'p1/read': row(1) }).misses, ['pipelining 1 beside our pipelining 1, `--sockets node`: 1.25, at most 1.00'], 'what has no bound is not judged')
  t.strictSame(of('workers', { ours: row(23), p1: row(20) }), fine, 'beside our own')
  t.strictSame(of('workers', { ours: row(24), p1: row(20) }).misses, ['2 workers on one core beside our pipelining 1: 1.20, at most 1.15'])
  t.match(of('rate', { ours: row(20, { rate: 19_000 }) }).misses, [/only 19,000 requests\/s/])
  const large = bytesPerSecond => of('large', { ours: row(1), 'autocannon 9': row(9, { bytesPerSecond }) })
  t.strictSame(large(100), fine)
  t.match(large(101).misses, [/1\.29 × the bytes\/s/])
  const memory = rss => of('http2-memory', { ours: row(1, { rss }) })
  t.strictSame(memory(120 * 2 ** 20), fine)
  t.match(memory(121 * 2 ** 20).misses, [/121\.0 MiB, at most 120$/])
  t.match(memory(NaN).misses, [/NaN MiB/], 'what was not measured has not passed')
  const beside = { base: true, counted: false }
  t.strictSame(of('p1', { ours: row(21), base: row(20) }, beside), fine, 'beside another checkout nothing else is judged')
  t.strictSame(of('p1', { ours: row(22), base: row(20) }, beside).misses, ['pipelining 1 beside base: 1.10, at most 1.05'])
  t.strictSame(of('p1', { ours: row(21), base: row(20) }, { base: true, counted: true }).misses, ['pipelining 1 beside base: 1.05, at most 1.02'])
})

t.test('the documents quote the figures that one run of the bench has kept', async t => {
  const { rounds, cases, ...results } = JSON.parse(readFileSync(join(__dirname, '../bench/peers/results.json'), 'utf8'))
  t.ok(rounds >= 5)
  let blocks = 0
  for (const folder of ['.', 'docs', 'bench']) {
    for (const name of readdirSync(join(__dirname, '..', folder)).filter(name => name.endsWith('.md'))) {
      const text = readFileSync(join(__dirname, '..', folder, name), 'utf8')
      blocks += text.split('<!-- bench:').length - 1
      t.equal(withBlocks(text, { ...results, rounds, cases }), text, `${folder}/${name}: npm run bench -- --write`)
    }
  }
  t.ok(blocks >= 5)
})

t.test('error rates are of 1,000 runs each, and the documents have a place for them', async t => {
  t.equal(SIMULATED, 1000)
  for (const { key, page } of CASES.filter(({ page }) => page !== undefined)) {
    const text = readFileSync(join(__dirname, '..', page), 'utf8')
    t.match(withBlock(text, `accuracy-${key}`, quoted([{ figure: 'a queue', theory: 'mean 1 %', measured: '2 %', bound: '≤ 5 %', ok: true }], 'Today:')), '\nToday:\n\n| simulated | measured | bound |\n|---|--:|--:|\n| a queue | 2 %, mean 1 % | ≤ 5 % |\n', key)
  }
})

t.test('--only takes names of cases, and what stands before their dash', async t => {
  const names = ['p1', 'http2-a', 'http2-b', 'http']
  t.strictSame(choose(undefined, names), names)
  t.strictSame(choose('http2,p1', names), ['http2-a', 'http2-b', 'p1'])
  t.strictSame(choose('http2-b', names), ['http2-b'])
  t.strictSame(choose('http2,http2-b', names), ['http2-a', 'http2-b'], 'each once')
  t.throws(() => choose('http2-', names), 'there is no such name')
})

t.test('a bench says what is wrong with what it was given', async t => {
  for (const [file, args, problem] of [
    ['peers.js', ['--only', 'p1,nope'], /^--only knows no "nope"; there are p1, .*startMany\n$/],
    ['peers.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['peers.js', ['--write', '--only', 'p1'], /^--write takes all cases of one run of at least 5 rounds: omit --only and --base, or write --only flow,function,function-flow or --only sse,sse-10,sse-openai,sse-openai10 or --only echo\n$/],
    ['peers.js', ['--rounds', '0'], /^--rounds has to be a whole number from 1 on, not "0"\n$/],
    ['pace-cost.js', ['--seconds', 'x'], /^--seconds has to be a number above 0, not "x"\n$/],
    ['accuracy.js', ['--only', 'stall,nope'], /^--only knows no "nope"; there are .*stall.*\n$/],
    ['soak.js', ['--minutes', '-1'], /^Option '--minutes' argument is ambiguous[^]*$/],
    ['soak.js', ['--minutes=-1'], /^--minutes has to be a number above 0, not "-1"\n$/],
    ['footprint.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['footprint.js', ['--only', 'nope'], /^no row has "nope" in its name; there are: RSS at the end of 60 s .*`node -e 0`\n$/],
    ['guard.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['report-demo.js', ['--nope'], /^Unknown option '--nope'[^\n]*\n$/],
    ['../test/fuzz/run.js', ['--help'], /^Unknown option '--help'. The flags are --seconds, --seed, --only\n$/]
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

t.test('the chart and the README have the figures of the table on busy machines', async t => {
  const read = file => readFileSync(join(__dirname, '..', file), 'utf8')
  const rows = rowsIn(read('docs/measuring.md'))
  t.ok(rows.length >= 4 && rows.every(({ p99 }) => p99.length === 3 && p99.every(ms => ms > 0)))
  t.equal(read('docs/busy-machine.svg'), chartOf(rows))
  t.equal(withBlock(read('README.md'), 'arrival', claimOf(rows)), read('README.md'))
})
