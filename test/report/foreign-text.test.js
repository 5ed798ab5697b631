'use strict'

// Nothing that a result says can do anything to a terminal, a page, a Markdown table or a log: each of its texts and names is
// hostile here, one output after the other. What is added to a result is in it by itself.

const t = require('tap')
const { EventEmitter } = require('node:events')
const { Writable } = require('node:stream')
const autocannon = require('../..')
const { printedConfig } = require('../../lib/cli/config/print-config')
const { runCompare } = require('../../lib/cli/commands/compare')
const { outcomeOf } = require('../../lib/cli/commands/comparison')
const { summaryOf } = require('../../lib/cli/output/github-summary')
const { banner } = require('../../lib/follow/terminal')
const { RENDERERS } = require('../../lib/parts')
const { md } = require('../../lib/report/markdown/markup')
const { lineOf } = require('../../lib/report/formats/ndjson')
const { toJson } = require('../../lib/core/foreign-text')
const { derive } = require('../../lib/instruments/agents/result')
const { agentOutcome } = require('../helpers/agents/example-agents')
const { exampleResult, exampleIterations, VERDICTS } = require('../helpers/results/example-result')
const { HOSTILE, hostileIn, CI_COMMANDS, ciCommandsIn } = require('../helpers/hostile-text')

/** @type {(agents: any[], sent: number) => any[]} */
const agentsOf = (agents, sent) => derive(null, /** @type {any} */ ({ outcome: { agents, totals: { sent } } })).agents

/** Names in these are data. */
const DICTIONARIES = new Set(['errorCodes', 'statusCodeStats', 'byRequest', 'byScenario', 'cutBy', 'reasons', 'samples', 'options', 'environment'])

/** Texts that are figures in another form, and words of which there are a few: what can't be read as such is refused. */
const FIGURES = new Set(['histogram', 'start', 'finish'])
const WORDS = new Set(['healthy', 'busy', 'starved', 'saturated'])

const comparison = autocannon.compareResults([exampleResult()], [exampleResult({ seed: 2, ms: 9, bad: 0.2 })], { failIf: ['p99 +1%'] })
const RESULT = exampleResult({ bad: 0.1, socketPath: '/tmp/x', ...VERDICTS, ...exampleIterations({ rate: 130 }), comparison: { ...comparison, notes: ['a note'] }, agents: agentsOf([agentOutcome(0, { busy: 9900, lost: { after: 1, reason: 'killed', missing: { share: 0.5, requests: 3 } } })], 100) })

/**
 * @param {any} value
 * @param {string} [poison] at the end of each text
 * @param {string} [key]
 * @param {string} [first] at the start of each text
 * @returns {any} the same with something hostile in every text
 */
function poisoned (value, poison = HOSTILE, key = '', first = '') {
  if (typeof value === 'string') return FIGURES.has(key) || (WORDS.has(value) && key !== 'actual') ? value : first + value + poison
  if (Array.isArray(value)) return value.map(one => poisoned(one, poison, key, first))
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  const keyOf = (/** @type {string} */ name) => DICTIONARIES.has(key) ? first + name + poison : name
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [keyOf(name), poisoned(one, poison, name, first)]))
}

const HOSTILE_RESULT = poisoned(RESULT)

/** As wide as any line: a terminal that is narrower has more of them. */
const outputStream = /** @type {any} */ (Object.assign(new Writable(), { columns: 1e6 }))

/** @type {Array<[what: string, text: (result: any) => string]>} */
const OUTPUTS = [
  ['printResult', result => autocannon.printResult(result, { outputStream, renderLatencyTable: true, renderStatusCodes: true })],
  ['printResult of a run that nothing answered', result => autocannon.printResult({ ...result, requests: { ...result.requests, total: 0 } }, { outputStream })],
  ['track', result => tracked(result)],
  ['the banner', result => banner({ ...result, url: result.url, duration: 1 })],
  ...Object.keys(RENDERERS).map(format => /** @type {[string, (result: any) => string]} */ ([
    format, result => autocannon.formatResult(result, format, { baseline: result })
  ])),
  ['a line of ndjson', ({ series, start }) => lineOf(series[0], +new Date(start))],
  ['--json', result => toJson(result) + '\n'],
  ['--github-summary', result => summaryOf(result)],
  ['compare', result => compared(t, result, [])],
  ['compare --markdown', result => compared(t, result, ['--markdown'])],
  ['compare --json', result => compared(t, result, ['--json'])],
  ['--print-config', result => printedConfig({ title: result.title, url: [result.url], checks: 1 }, { title: result.title, requests: [{ path: result.url, body: result.url }] })]
]

/** @param {any} result */
function tracked (result) {
  const chunks = /** @type {string[]} */ ([])
  const outputStream = Object.assign(new Writable({ write (chunk, encoding, callback) { chunks.push(String(chunk)); callback() } }), { columns: 1e6 })
  const instance = Object.assign(new EventEmitter(), { opts: { url: result.url, socketPath: result.socketPath, title: result.title, connections: 1, pipelining: 1, duration: 1 } })
  autocannon.track(instance, { outputStream, renderProgressBar: false })
  instance.emit('start')
  instance.emit('done', result)
  return chunks.join('')
}

/**
 * @param {any} t
 * @param {any} result
 * @param {string[]} flags
 */
function compared (t, result, flags) {
  const folder = t.testdir({ 'a.json': JSON.stringify(result), 'b.json': JSON.stringify({ ...result, errors: result.errors + 1 }) })
  return runCompare([...flags, '--fail-if', 'p99 +1%', `${folder}/a.json`, `${folder}/b.json`], { stdout: outputStream, env: {} }).text
}

for (const [what, print] of OUTPUTS) {
  t.test(`no control or bidirectional character of a result comes through ${what}`, async t => {
    const text = print(HOSTILE_RESULT)
    t.ok(text.length > 20, 'it says something')
    t.strictSame(hostileIn(text, '\n\r\t'), [], 'nothing that can do harm')
    if (what !== 'csv') t.notMatch(text, /\r/)
    // A result whose texts are one line each has as many lines, or another one could be forged.
    t.equal(text.split('\n').length, print(RESULT).split('\n').length + (what === 'html' || what === 'junit' ? linesOfSamples() : 0), 'no line more')
  })
}

const COMMANDS_FIRST = poisoned(RESULT, '', '', CI_COMMANDS)
const COMMANDS_LAST = poisoned(RESULT, `\n${CI_COMMANDS}`)

for (const [what, print] of OUTPUTS) {
  t.test(`no text of a result is a logging command of a CI in ${what}`, async t => {
    for (const result of [COMMANDS_FIRST, COMMANDS_LAST]) t.strictSame(ciCommandsIn(print(result)), [])
  })
}

/** Lines that the bodies of samples have more: they may. */
function linesOfSamples () {
  const samples = RESULT.checks.flatMap((/** @type {any} */ { samples }) => Object.values(samples))
  return samples.length * (HOSTILE.split('\n').length - 1)
}

t.test('what JSON says is what the result says', async t => {
  t.strictSame(JSON.parse(autocannon.formatResult(HOSTILE_RESULT, 'json')), JSON.parse(JSON.stringify(HOSTILE_RESULT)))
})

/** Markup, and what GitHub makes of text once it is rendered: mentions, references, links, emoji. */
const EVIL = ' @team a/b#1 GH-2 x@y.de <img src=x> [a](http://b) ![c](//d) www.c.de **d** __e__ ~~f~~ | `g` :tada: $h$'

/** @type {Array<[what: string, text: (result: any) => string]>} */
const MARKDOWN = [
  ['-o x.md', result => autocannon.formatResult(result, 'md')],
  ['-o x.md with --baseline', result => autocannon.formatResult(result, 'md', { baseline: result })],
  ['--github-summary', result => summaryOf(result)],
  ['compare --markdown, and versus', ({ comparison }) => outcomeOf(comparison, { markdown: true }, { stdout: outputStream, env: {} }).text],
  ['compare --github-summary, and versus', ({ title, comparison }) => String(outcomeOf(comparison, { githubSummary: true, title }, { stdout: outputStream, env: {} }).summary)]
]

for (const [what, print] of MARKDOWN) {
  t.test(`Markdown has no markup, mention, reference, link or emoji of others in it: ${what}`, async t => {
    // The verdict on a threshold may be a word of the result.
    const thresholds = [{ ...VERDICTS.thresholds[0], actual: 'starved' }, ...VERDICTS.thresholds]
    const [text, harmless] = [EVIL, ''].map(evil => print(poisoned({ ...RESULT, thresholds }, evil)))
    t.ok(text.split('&#64;').length > 2, 'much of it is shown')
    // What is left without entities and comments means something, and is ours.
    const marks = text => text.replace(/<!-- -->|&#\d+;/g, '').replace(/[^&@<>*_~`[\]!$\\|#]/g, '')
    t.equal(marks(text), marks(harmless))
    // GitHub looks at what stands between two tags or comments, with entities read.
    const pieces = text.split(/<[^>]*>/).map(piece => piece.replace(/&#(\d+);/g, (_, point) => String.fromCodePoint(Number(point))))
    for (const meant of [/@\w/, /#\d/, /GH-\d/, /:\/\//, /www\.\w/i, /:[\w+-]+:/]) t.strictSame(pieces.filter(piece => meant.test(piece)), [], String(meant))
  })
}

t.test('text that begins a line of Markdown is neither a list nor a rule', async t => {
  for (const [given, shown] of [['- a', '&#45; a'], ['+', '&#43;'], ['1. a', '1&#46; a'], ['12) a', '12&#41; a'], ['---', '--&#45;'], ['==', '=&#61;'], ['+5.3 %', '+5.3 %'], ['1.5 ms', '1.5 ms'], ['-a', '-a']]) t.equal(md`${given}`.text, shown)
})
