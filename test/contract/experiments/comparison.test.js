'use strict'

// Comparisons, baselines and merging, through the API and through the command line. Unless a server is there, what is
// compared comes from a simulated one, so that the verdict is known.

const t = require('tap')
const { readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const autocannon = require('../../..')
const { cli } = require('../../helpers/processes/cli')
const { serve, closedPort } = require('../../helpers/servers/http-server')
const { conserves } = require('../../helpers/results/conservation')
const { simulate } = require('../../helpers/simulated/simulated-server')
const { runCompare } = require('../../../lib/cli/commands/compare')
const { runMerge } = require('../../../lib/cli/commands/merge')

/**
 * A result as --json writes it.
 * @param {number} seed
 * @param {object} [server]
 */
const line = (seed, server) => JSON.stringify({ url: 'http://localhost', start: new Date(0), ...simulate(seed, server) }) + '\n'

t.test('results of different machines are compared only when that is asked for', async t => {
  const on = (environment, seed) => JSON.stringify({ ...JSON.parse(line(seed)), environment }) + '\n'
  const dir = t.testdir({ 'base.json': on({ cpu: 'A', cores: 2, platform: 'linux 6 x64' }, 1), 'new.json': on({ cpu: 'A', cores: 8, platform: 'linux 7 x64' }, 2) })
  const refused = await cli(['compare', 'base.json', 'new.json'], { cwd: dir })
  t.equal(refused.code, 2)
  t.equal(refused.stderr, 'autocannon: the runs of base and new come from different machines (cores 2 and 8): measure both on one machine, or give --across-machines\nTry autocannon compare --help for more.\n')
  const asked = await cli(['compare', 'base.json', 'new.json', '--across-machines', '--json'], { cwd: dir })
  t.equal(asked.code, 0)
  t.ok(JSON.parse(asked.stdout).notes.includes('base and new were measured on different machines (cores 2 and 8): a difference may be theirs'))
  // Before the run: the port is closed.
  const { code, stderr } = await cli(['--baseline', 'base.json', `http://127.0.0.1:${await closedPort()}`], { cwd: dir })
  t.equal(code, 2)
  t.match(stderr, /^autocannon: --baseline: the runs of base and new come from different machines \(CPU A and /)
  const alone = await cli(['--across-machines', 'http://127.0.0.1:1'], { cwd: dir })
  t.match(alone, { code: 2, stderr: 'autocannon: --across-machines: expected --baseline as well, got none: there is nothing to compare with\nTry autocannon --help for more.\n' })
})

t.test('autocannon compare', async t => {
  const dir = t.testdir({
    'base.json': line(1),
    'same.json': line(2),
    'slow.json': line(3, { slower: 1.3 }),
    'base3.json': line(11) + line(12) + line(13),
    'slow3.json': JSON.stringify(JSON.parse(line(14, { slower: 1.3 })), null, 2),
    'slow4.json': line(15, { slower: 1.3 }) + line(16, { slower: 1.3 })
  })
  /** @param {...string} argv */
  const compare = (...argv) => cli(['compare', ...argv], { cwd: dir })
  const [plain, limited, within, same, several, json, markdown] = await Promise.all([
    compare('base.json', 'slow.json'),
    compare('base3.json', 'vs', 'slow3.json', 'slow4.json', '--fail-if', 'p50 +10%', '--fail-if=rps -50%'),
    compare('base3.json', 'vs', 'slow3.json', 'slow4.json', '--fail-if', 'p50 +50%'),
    compare('base.json', 'same.json'),
    compare('base3.json', 'vs', 'slow3.json', 'slow4.json', '--fail-if', 'p50 +10%'),
    compare('base3.json', 'vs', 'slow3.json', 'slow4.json', '--json', '--fail-if', 'p50 +10%'),
    compare('base.json', 'slow.json', '--markdown')
  ])
  t.strictSame([plain, limited, within, same, several, json, markdown].map(({ code }) => code), [0, 3, 0, 0, 3, 3, 0])
  t.match(plain.stdout, /│ p50 +│ .* ms *│ .* ms *│ \+\d+ % +│ \+\d+ … \+\d+( %)? *│ slower +│\n/)
  t.match(limited.stdout, /\n✗ p50 \+10%: \+\d+ % \(between \+\d+ % and \+\d+ %\) is beyond the limit\n✓ rps -50%: within the limit: between −\d+ % and −\d+ %\n/)
  t.match(same.stdout, /\nNo difference found: p50 would have to differ by about [\d.]+ % to be noticed \(an indication from one run on each side\)\.\n/)
  t.match(several.stdout, '3 runs against 3;')
  t.match(JSON.parse(json.stdout), { confidence: 0.95, basis: 'runs', runs: { base: 3, new: 3 }, limits: [{ expression: 'p50 +10%', passed: false }] })
  t.equal(json.stdout.indexOf('\n'), json.stdout.length - 1, 'one line')
  t.match(markdown.stdout, /^\*\*Worse: .* \(an indication from one run on each side\)\.\*\*\n\n\| {2}\| Base \| New \|/)
  t.strictSame([plain, limited, markdown].map(({ stderr }) => stderr), ['', '', ''])
  t.match(json.stderr, /^autocannon: p50 \+10% failed: .* \(between .*\) is beyond the limit\n$/, 'beside JSON the log says what has failed')

  t.test('one run on each side is an indication, on which no gate rests', async t => {
    for (const [gate, code, said] of /** @type {const} */ ([
      [['--fail-if', 'p50 +10%'], 4, /\n\? p50 \+10%: between .* one run on each side is an indication only/],
      [['--fail-if', 'p50 +50%'], 4, /\n\? p50 \+50%: between/],
      [['--fail-if', 'p50 +10%', '--inconclusive', 'pass'], 0, /\n\? p50 \+10%: between .* one run on each side is an indication only/],
      [['--fail-if', 'p50 +50%', '--inconclusive', 'pass'], 0, /\n\? p50 \+50%: between/],
      [['--fail-if', 'p50 +50%', '--inconclusive', 'fail'], 3, /\n✗ p50 \+50%: inconclusive, which --inconclusive fail counts as failed: between/]
    ])) {
      const { code: actual, stdout } = await compare('base.json', 'slow.json', ...gate)
      t.equal(actual, code, gate.join(' '))
      t.match(stdout, said)
      t.match(stdout, /│ Indication +│\n/)
    }
    const { code, stderr } = await compare('base.json', 'slow.json', '--json', '--fail-if', 'p50 +10%', '--fail-if', 'rps -5%')
    t.equal(code, 4)
    t.match(stderr, /^autocannon: 2 of 2 limits are inconclusive: p50 \+10% \(between .*\), rps -5% \(between .*\)\n$/)
  })

  t.test('says what is wrong with its arguments', async t => {
    const { code, stdout, stderr } = await compare('base.json')
    t.strictSame([code, stdout], [2, ''])
    t.match(stderr, /^autocannon: expected two files, or several on each side: autocannon compare base\.json new\.json, or .*\nTry autocannon compare --help for more\.\n$/)
    const [base, same] = [path.join(dir, 'base.json'), path.join(dir, 'same.json')]
    for (const [argv, message, file] of [
      [[base, same, base], /^expected two files/],
      [['vs', base], /^expected two files/],
      [[base, 'vs', base, 'vs', base], /^expected two files/],
      [[base, 'none.json', '--fail-if', 'p99'], /^--fail-if: expected something like 'p99 \+10%', got 'p99': expected a metric and its allowed change.*\ncould not read the file 'none\.json': ENOENT/],
      [[base, same, '--fial-if', 'p99 +1%'], /^unknown flag --fial-if, did you mean --fail-if\?\nexpected two files/],
      [[base, same, '--json', '--markdown'], /^--markdown and --json: give one of them$/],
      [[base, same, '--fail-if'], /^--fail-if needs a value$/],
      [[base, same, '--inconclusive', 'maybe', '--fail-if', 'p50 +1%'], /^--inconclusive: expected pass or fail, got 'maybe'$/],
      [[base, same, '--inconclusive'], /^--inconclusive needs a value: pass or fail or exact$/],
      [[base, same, '--inconclusive', 'pass'], /^--inconclusive: expected a gate as well, which is --fail-if, got none: nothing is judged$/],
      [[base, same, '--json=1'], /^-j\/--json: expected true or false, got '1'$/],
      [[base, same, '--github-summary'], /^--github-summary: the environment variable GITHUB_STEP_SUMMARY is not set/],
      [[base, same, '--github-summary'], /^--github-summary: could not write to the file that GITHUB_STEP_SUMMARY names: /, dir]
    ]) {
      t.throws(() => runCompare(argv, { stdout: process.stdout, env: { GITHUB_STEP_SUMMARY: file } }), { code: 'AC_OPTIONS', message }, argv.join(' '))
    }
  })
  t.test('--help explains it', async t => {
    const { code, text } = runCompare(['-h'], { stdout: process.stdout, env: {} })
    t.equal(code, 0)
    t.match(text, /^Usage: autocannon compare .*[^]*--fail-if EXPR[^]*Exit codes:/)
    t.match(runMerge(['--help'], { stdout: process.stdout }).text, /^Usage: autocannon merge .*[^]*--threshold EXPR[^]*Exit codes:/)
  })
  t.test('--github-summary appends to the summary of the step', async t => {
    const file = path.join(dir, 'summary.md')
    writeFileSync(file, 'before\n')
    const { code } = await cli(['compare', 'base.json', 'slow.json', '--github-summary'], { cwd: dir, env: { GITHUB_STEP_SUMMARY: file } })
    t.equal(code, 0)
    t.match(readFileSync(file, 'utf8'), /^before\n### Comparison\n\n\*\*Worse: /)
  })
})

t.test('a run that is given twice says nothing of how much runs vary, and is refused', async t => {
  const dir = t.testdir({ 'a.json': line(1), 'b.json': line(2), 'three.json': line(3) + line(4) + line(1), 'twice.json': line(5) + line(6) + line(5) })
  const [a, b, three, twice] = ['a', 'b', 'three', 'twice'].map(name => path.join(dir, `${name}.json`))
  for (const [argv, message] of [
    [[a, a], `'${a}' is the same run as '${a}', but the comparison needs different runs: give each run once`],
    [[a, a, 'vs', b], `'${a}' is the same run as '${a}', but`],
    [[b, 'vs', a, three], `number 3 of '${three}' is the same run as '${a}', but`],
    [[twice, 'vs', a], `the file '${twice}' has the same run twice (number 1 and 3), but the comparison needs different runs: give each run once`]
  ]) {
    t.throws(() => runCompare(argv, { stdout: process.stdout, env: {} }), { code: 'AC_OPTIONS', message: new RegExp(`^${message.replace(/[.()/]/g, '\\$&')}`) }, argv.join(' '))
  }
  const baseline = await cli(['--baseline', twice, '-a', '1', 'http://127.0.0.1:1'])
  t.equal(baseline.code, 2)
  t.match(baseline.stderr, /^autocannon: --baseline: the file '.*twice\.json' has the same run twice \(number 1 and 3\)/)
  const [one, other] = [simulate(1), simulate(2)]
  const again = JSON.parse(JSON.stringify({ ...one, title: 'another name' }))
  for (const [base, next, message] of [
    [one, again, /^compareResults: result 0 of new is the same run as result 0 of base, .*\. Give each run once$/],
    [[one, other, again], simulate(3), /^compareResults: result 2 of base is the same run as result 0 of base/],
    [one, [other, other], /^compareResults: result 1 of new is the same run as result 0 of new/]
  ]) t.throws(() => autocannon.compareResults(base, next), { code: 'AC_AGGREGATE', message })
  t.equal((await cli(['compare', 'a.json', 'a.json'], { cwd: dir })).code, 2)
})

t.test('compareResults() is the same in the API', async t => {
  const [base, slow] = [simulate(1), simulate(2, { slower: 1.3 })]
  const comparison = autocannon.compareResults(base, [slow], { failIf: 'p50 +10%' })
  t.match(comparison, { basis: 'samples', runs: { base: 1, new: 1 }, limits: [{ expression: 'p50 +10%', passed: null, indication: 'beyond' }] })
  t.throws(() => autocannon.compareResults(base, [slow], { failIf: 'p50' }), { code: 'AC_OPTIONS', message: /^failIf: expected something like 'p99 \+10%', got 'p50': / })
  t.throws(() => autocannon.compareResults([], [slow]), { code: 'AC_AGGREGATE', message: /at least one result on each side/ })
  t.throws(() => autocannon.compareResults(base, { format: 'raw' }), { code: 'AC_AGGREGATE', message: /pass it through aggregateResult first/ })
})

t.test('--baseline compares a run with earlier ones', async t => {
  const { url } = await serve(t)
  const dir = t.testdir({ 'raw.json': '{"format":"autocannon-raw-2"}' })
  const file = path.join(dir, 'base.json')
  const args = ['-c', '1', '-d', '1.2', '-L', '100', url]
  const base = await cli(['--json', ...args])
  // Every third answer is a failure, however busy the machine is.
  let answers = 0
  const bad = await serve(t, (request, response) => { response.writeHead(answers++ % 3 === 0 ? 500 : 200).end('ok') })
  writeFileSync(file, base.stdout)
  const summary = path.join(dir, 'summary.md')
  const [text, json] = await Promise.all([
    cli(['-n', '--baseline', file, '--fail-if', 'failure rate +10%', '--github-summary', ...args.slice(0, -1), bad.url], { env: { GITHUB_STEP_SUMMARY: summary } }),
    cli(['--json', '--baseline', file, ...args.slice(0, -1), bad.url])
  ])
  t.equal(text.code, 4, text.stderr)
  // A machine that starves one of the two generators makes it untold.
  t.match(text.stderr, /│ failure rate *│.*│ (more|inconclusive) *│[^]*\n\? failure rate \+10%: between /)
  t.match(readFileSync(summary, 'utf8'), /^### ⚠️ http:<!-- -->\/\/127\.0\.0\.1:\d+\n\n[^]*\n⚠️ \*\*(Worse: .*failure rate|Inconclusive)/)
  t.equal(json.code, 0, 'without --fail-if it only informs')
  t.match(JSON.parse(json.stdout).comparison.metrics.find(({ metric }) => metric === 'failure rate'), { base: 0, new: Number, verdict: /^(worse|unknown)$/ })

  const wrong = await Promise.all([
    cli(['--fail-if', 'p99 +10%', url]), cli(['--baseline', path.join(dir, 'none.json'), url]), cli(['--baseline', path.join(dir, 'raw.json'), url]),
    cli(['--baseline', file, '--raw', url]), cli(['--baseline', file, '--fail-if', 'p99', url]), cli(['--github-summary', url])
  ])
  t.strictSame(wrong.map(({ code }) => code), wrong.map(() => 2))
  for (const [i, message] of [
    /^autocannon: --fail-if: expected --baseline as well, got none: there is nothing to compare with\n/,
    /^autocannon: --baseline: could not read the file '.*none\.json': ENOENT: .*; a run with --json > .*none\.json writes it\n/,
    /^autocannon: --baseline: the file '.*raw\.json' has a raw result in it/,
    /^autocannon: --baseline and --raw: a raw result has no figures yet/,
    /^autocannon: --fail-if: expected something like 'p99 \+10%', got 'p99': expected a metric and its allowed change/,
    /^autocannon: --github-summary: the environment variable GITHUB_STEP_SUMMARY is not set/
  ].entries()) t.match(wrong[i].stderr, message)
})

t.test('autocannon merge makes one result of what --raw wrote', async t => {
  const { url } = await serve(t)
  const [a, b] = await Promise.all([cli(['--raw', '-c', '1', '-a', '30', url]), cli(['--raw', '-c', '2', '-a', '40', url])])
  t.strictSame([a.code, b.code, a.stderr], [0, 0, ''])
  t.equal(a.stdout.indexOf('\n'), a.stdout.length - 1, 'one line')
  // Two short runs of processes that a busy machine starts one after the other need not overlap.
  const second = JSON.stringify({ ...JSON.parse(b.stdout), start: JSON.parse(a.stdout).start }) + '\n'
  const dir = t.testdir({ 'a.json': a.stdout, 'b.json': second, 'both.json': a.stdout + second, 'result.json': line(1), 'other.json': '{}', 'bad.json': JSON.stringify({ ...JSON.parse(b.stdout), options: null }) })
  /** @param {...string} argv */
  const merge = (...argv) => cli(['merge', ...argv], { cwd: dir })
  const [json, both, text, failed] = await Promise.all([
    merge('a.json', 'b.json', '--json', '--title', 'all'), merge('both.json', '--json'), merge('a.json', 'b.json', '--threshold', 'requests == 70'),
    merge('a.json', '--threshold', 'requests == 70')
  ])
  t.strictSame([json, both, text, failed].map(({ code }) => code), [0, 0, 0, 3])
  const result = JSON.parse(json.stdout)
  t.match(result, { title: 'all', connections: 3, '2xx': 70, latency: { totalCount: 70 } })
  conserves(t, result)
  t.equal(JSON.parse(both.stdout)['2xx'], 70)
  t.match(text.stdout, /70 requests in .*\n[^]*│ ✓ │ requests == 70 │ 70 +│\n/)
  t.match(failed.stdout, '│ ✗ │ requests == 70 │ 30 ')
  t.match(text.stdout, /\n[✓!] Passed, exit code 0: [^\n]+\n$/)
  t.match(failed.stdout, /\n✗ Failed, exit code 3: [^\n]+\n$/)

  const file = (/** @type {string} */ name) => path.join(dir, name)
  for (const [argv, message] of [
    [[], /^expected the files of raw results: autocannon merge a\.json b\.json$/],
    [[file('result.json')], /^the file '.*result\.json' has a finished result in it, and percentiles can't be added up: run autocannon with --raw to have one that can be merged$/],
    [[file('other.json')], /has something else than a result in it/],
    [[file('a.json'), '--threshold', 'p99'], /^--threshold: expected something like 'p99 < 50ms', got 'p99': there is no operator in it/],
    [[file('a.json'), '--title'], /^--title needs a value$/],
    [[file('a.json'), file('b.json'), file('a.json')], /^'[^']*a\.json' is the same run as '[^']*a\.json', and every request would count twice: give each run once$/],
    [[file('both.json'), file('b.json')], /^'[^']*b\.json' is the same run as number 2 of '[^']*both\.json', /]
  ]) {
    t.throws(() => runMerge(argv, { stdout: process.stdout }), { code: 'AC_OPTIONS', message }, argv.join(' '))
  }
  for (const [argv, message] of [
    [[file('a.json'), file('bad.json')], /^'[^']*bad\.json' can't be aggregated: options is null, expected an object$/]
  ]) {
    t.throws(() => runMerge(argv, { stdout: process.stdout }), { code: 'AC_AGGREGATE', message }, argv.join(' '))
  }
  t.match(await cli(['merge', '--treshold', 'p99 < 1s', 'a.json'], { cwd: dir }), { code: 2, stderr: '\nTry autocannon merge --help for more.\n' })
  t.match(await cli(['merge', 'a.json', 'a.json'], { cwd: dir }), { code: 2, stdout: '', stderr: /^autocannon: 'a\.json' is the same run as 'a\.json', [^\n]*\nTry autocannon merge --help for more\.\n$/ })
  const nothing = await cli(['--raw', '-c', '1', '-a', '1', `http://127.0.0.1:${await closedPort()}`])
  t.equal(nothing.code, 1, 'a raw result without answers is a run without answers')
})
