'use strict'

// The help: one screen, and topics, options and commands one by one. It goes to stdout with exit code 0.

const t = require('tap')
const { COMMANDS } = require('../../lib/cli/commands/index')
const { FIRST, help, subjectIn } = require('../../lib/cli/help')
const { GROUPS, TABLE, flags } = require('../../lib/options/table')
const { EXPERIMENTS } = require('../../lib/parts')
const { cli } = require('../helpers/processes/cli')

/** @param {...string} argv */
const shown = async (...argv) => {
  const { code, stdout, stderr } = await cli(argv)
  t.match({ code, stderr }, { code: 0, stderr: '' }, argv.join(' '))
  return stdout
}

/** @param {string} text */
const tooLong = text => text.split('\n').filter(line => line.length > 80)

t.test('--help fits on one screen, and names what there is', async t => {
  const text = help(COMMANDS)
  t.ok(text.trimEnd().split('\n').length <= 45, 'at most 45 lines')
  t.strictSame(tooLong(text), [], 'of 80 columns')
  for (const { name } of COMMANDS) t.match(text, new RegExp(`^  ${name}\\b`, 'm'))
  const words = text.replace(/\s+/g, ' ')
  for (const { topic } of GROUPS) t.match(words, new RegExp(`\\b${topic}\\b`), topic)
  for (const name of Object.keys(FIRST)) {
    const option = TABLE.find(option => option.name === name)
    t.ok(option !== undefined && text.includes(`\n  ${flags(option)}`), name)
  }
  t.strictSame(Object.keys(FIRST).length <= 17, true, 'what people need, and no more')
})

t.test('-h, --help and help are the same, with other flags and a URL as well', async t => {
  const text = await shown('--help')
  t.equal(text, help(COMMANDS))
  for (const argv of [['-h'], ['help'], ['-c', '5', '--help'], ['--help', '--nonsense'], ['http://localhost:3000', '--help'], ['--help', 'localhost:3000'], ['help', 'help'], ['-jh'], ['--help=true']]) {
    t.equal(await shown(...argv), text, argv.join(' '))
  }
})

t.test('a topic has its options, those of configs as well', async t => {
  for (const { topic, title, page, options } of GROUPS) {
    const text = await shown('help', topic)
    t.ok(text.startsWith(`${title} (autocannon help ${topic})\n`) && text.endsWith(`\nMore: ${page}\n`), topic)
    t.strictSame(tooLong(text), [], topic)
    for (const option of options) t.ok(text.includes(`\n  ${option.where === 'api' ? option.name : flags(option)}`), `${topic}: ${option.name}`)
    for (const argv of [['--help', topic], [`--help=${topic}`], ['-h', topic], [topic, '--help'], ['-c', '5', '--help', topic]]) t.equal(await shown(...argv), text, argv.join(' '))
  }
  const all = await shown('--help', 'all')
  t.equal(await shown('help', 'all'), all)
  for (const { title } of GROUPS) t.ok(all.includes(`\n${title}:\n`), title)
  const codes = await shown('help', 'exit')
  t.match(codes, /^Exit codes:\n {2}0 [^]*\n {2}130 [^]*\nMore: docs\/ci.md\n$/)
  t.ok(all.includes(codes.split('\n\n')[0]))
  for (const argv of [['--help', 'exit'], ['help', 'exit-codes'], ['--help=exitcode'], ['exit', '--help']]) t.equal(await shown(...argv), codes, argv.join(' '))
})

t.test('an option has its type, bounds, default, example and page', async t => {
  const text = await shown('help', 'rate')
  t.match(text, /^autocannon --rate NUM\n\n {2}Send [^]*\n {2}Type: +number of requests or iterations per second\n {2}Allowed: +more than 0 up to 10,000,000\n {2}In a config: rate\n {2}Example: +autocannon --rate 500 [^\n]*\n {2}More: +docs\/load\.md\n$/)
  for (const argv of [['--help', 'rate'], ['rate', '--help'], ['help', '--rate']]) t.equal(await shown(...argv), text, argv.join(' '))
  t.match(await shown('help', '-c'), /^autocannon -c\/--connections NUM\n[^]*Allowed: +from 1 up to 100,000\n {2}Default: +10\n/)
  t.match(await shown('help', 'connect-to'), /^autocannon --connect-to HOST/)
  t.match(await shown('help', '--config'), /^autocannon --config FILE\n/)
  t.match(await shown('help', '--no-progress'), /^autocannon -n\/--no-progress\n/)
  t.match(await shown('help', 'client'), /\n {2}Allowed: +autocannon, undici\n/)
  t.match(await shown('help', 'initialContext'), /^initialContext, an option of a config \(--config\) and of the API\n/)
  for (const [command, { flags }] of Object.entries(EXPERIMENTS)) {
    for (const { name } of flags()) t.match(await shown('help', name), new RegExp(`^autocannon ${command} `), name)
  }
  const topics = GROUPS.map(({ topic }) => topic)
  for (const option of TABLE) {
    // `help --help` is the help itself.
    if (option.name === 'help') continue
    const text = await shown('help', option.where !== 'api' ? flags(option).replace(/^-\w\//, '') : option.name)
    if (option.where === 'api' && topics.includes(option.name)) continue
    t.ok(text.replace(/\s+/g, ' ').includes(option.help), option.name)
    t.equal(text.includes('  Example: '), option.where !== 'api', `${option.name}: an example`)
  }
})

t.test('a word of an option text or a page finds both', async t => {
  t.match(await shown('help', 'poisson'), /^Options that mention poisson \(autocannon help OPTION\):\n( {2}--[a-z-]+\n)* {2}--arrivals\n[^]*\nPages that mention poisson:\n {2}docs\/load\.md \(\d+\)\n/)
  for (const word of ['p99', 'csv', 'yaml']) t.match(await shown('help', word), `mention ${word}`)
  t.match(await shown('help', 'thresholds'), /\n {2}Metrics:\n {4}p50, .*\n[^]*Metrics of the server:\n {4}server cpu[^]*\n {4}login: p95 < 1s, stage 3: …, scenario buy: …, iterations: …, group buy: …\n/)
})

t.test('what is none gets a suggestion and exit code 2', async t => {
  for (const [argv, words] of /** @type {Array<[string[], string]>} */ ([
    [['help', 'conections'], "there is no topic, option or command 'conections', did you mean 'connections'?"],
    [['--help', 'scenario'], "did you mean 'scenarios'?"],
    [['agnet', '--help'], "did you mean 'agent'?"],
    [['help', 'hlep'], "did you mean 'help'?"],
    [['--help=scenario'], "did you mean 'scenarios'?"],
    [['help', 'foo'], "'foo'; the topics are server, load, "],
    [['--help=foo'], "'foo'; the topics are server, load, "],
    [['help', 'xyzzyxyzzy'], 'there is no topic, option or command \'xyzzyxyzzy\'; the topics are server, load, ']
  ])) {
    const { code, stdout, stderr } = await cli(argv)
    t.match({ code, stdout }, { code: 2, stdout: '' }, argv.join(' '))
    t.ok(stderr.includes(words), stderr)
  }
})

t.test('which word a help is about', async t => {
  for (const [line, subject] of /** @type {const} */ ([
    ['--help', []], ['-h rate', ['rate']], ['tls --help', ['tls']], ['-c 5 -h tls', ['tls']], ['localhost --help', []], ['--help true', []], ['a.b:80 --help', []],
    ['--help=rate', ['rate']], ['-h=rate', ['rate']], ['--help=true', []], ['--help=', []], ['-c 5 --help=tls', ['tls']]
  ])) t.strictSame(subjectIn(line.split(' ')), subject, line)
})
