'use strict'

// Every number with a unit that the tool shows has the format of lib/core/units.js: in the golden files (text, Markdown, JUnit,
// live area, comparisons), and in the outputs below, which have no such file. A second format of a quantity fails here.

const t = require('tap')
const { readdirSync, readFileSync } = require('node:fs')
const path = require('node:path')
const { createColors } = require('picocolors')
const { VersusProgress } = require('../../lib/follow/versus-progress')
const { SearchProgress } = require('../../lib/follow/search-progress')
const { logLine, oneLine } = require('../../lib/follow/live/brief')
const { conclusion } = require('../../lib/report/conclusion')
const { formatResult } = require('../../lib/report/formats/format')
const { comparisonHtml } = require('../../lib/report/html/page')
const { toSummary } = require('../../lib/report/markdown/result')
const { printResult } = require('../../lib/report/text')
const { Histogram } = require('../../lib/record/histogram')
const { compare } = require('../../lib/judge/comparison/comparison')
const { parseRegression } = require('../../lib/judge/comparison/regression')
const { exampleResult, exampleIterations, VERDICTS } = require('../helpers/results/example-result')
const { failing, searchOf, stepOf } = require('../helpers/results/example-search')
const { stagedResult } = require('../helpers/results/staged-result')

const GOLDEN = path.join(__dirname, '../golden')
const WHOLE = String.raw`(?:0|[1-9]\d{0,2}(?:,\d{3})*)`
/** Three significant digits, with zeros at their end, but no more than the µs. */
const THREE = String.raw`(?:0|0\.\d{3}|[1-9]\.\d\d|[1-9]\d\.\d|[1-9]\d\d|[1-9]\d{0,2}(?:,\d{3})+)`
/** Three significant digits, without zeros at their end. */
const TRIMMED = String.raw`(?:${WHOLE}|\d\.\d?[1-9]|0\.0[0-9]?[1-9]|[1-9]\d\.[1-9])`
/** A duration has up to two decimals, a latency in seconds three digits; the time of a single request has its ms. */
const SECONDS = String.raw`(?:${WHOLE}(?:\.\d{1,3})?)`
const SHARE = String.raw`(?:${WHOLE}|0\.0*[1-9]\d?|[1-9]\.[1-9]|[1-9]\d\.[1-9])`
/** A difference shows one decimal below 10 %, two of points. */
const DIFFERENCE = String.raw`(?:${WHOLE}|\d\.\d)`

/** By unit, the numbers that it may have before it. @type {Record<string, RegExp>} */
const FORMATS = Object.fromEntries(Object.entries({
  ms: THREE,
  s: SECONDS,
  min: WHOLE,
  h: WHOLE,
  '%': `(?:±?${SHARE}|[+−]?${DIFFERENCE})`,
  points: String.raw`[+−]?(?:0|\d+\.\d\d)`,
  B: WHOLE,
  ...Object.fromEntries(['kB', 'MB', 'GB', 'kB/s', 'MB/s', 'GB/s', 'B/s'].map(unit => [unit, TRIMMED])),
  ...Object.fromEntries(['req/s', 'iterations/s', 'handshakes/s'].map(unit => [unit, TRIMMED]))
}).map(([unit, digits]) => [unit, new RegExp(`^${digits}$`)]))

/** What looks like a unit, also one that must not be there. */
const UNITS = [
  'ms', 's', 'min', 'h', '%', 'points', '[kMG]?B(?:/s)?', 'µs', 'sec', 'seconds', 'k', 'M', 'KB', '[KM]iB', '[a-z]+/s', '/s',
  'per second', 'm\\d\\ds'
].join('|')
const NUMBER = String.raw`(?<![\w.,:/-]|Not )(?<digits>[±+−]?\d[\d,.]*(?<![.,]))`
const QUANTITY = new RegExp(String.raw`${NUMBER}(?<space> ?)(?<unit>${UNITS})(?![\w/])`, 'g')
/** A count of thousands without separators; a year, a port or an id is in a text that is left out, or among words. */
const UNGROUPED = /(?<![\w.,:/#-])\d{4,}(?![\w.:-])/g
/** Other names of what has one. */
const SYNONYMS = /\b(?:requests\/s|rounds\/s|answers\/s)\b|(?<=\d )requests per second/gi

/** What users wrote, which is shown as it is: thresholds, limits and options. */
const WRITTEN = [
  'p99 < 50ms', 'p50 < 10ms', 'failure rate < 1%', 'login: p95 < 100ms', 'error rate < 1%', 'bytes/s > 1 MB/s', 'p99 +10%',
  'avg +20%', 'avg +5%', 'rps -5%', 'p95 < 1s', 'p99 ±2%', 'p99 < 1ms', 'took more than 50 ms', 'scenario checkout: p95 < 29s',
  'scenario browse: completed > 99%', 'iterations/s > 50', 'stage 1: p99 < 80ms', 'peak: p99 < 80ms', 'stage 3: rate ratio > 99%',
  'under 2 KiB'
]

/**
 * @param {string} text of a report
 * @returns {string} what we wrote of it ourselves
 */
function own (text) {
  const written = WRITTEN.flatMap(words => [words, words.replaceAll('<', '&#60;').replaceAll('>', '&#62;')])
  return written.reduce((rest, words) => rest.replaceAll(words, ''), text)
    .replace(/\x1b\[[\d;]*m/g, '') // eslint-disable-line no-control-regex
    // The contract of autocannon 9, which scripts read: its tables and its sentence.
    .replace(/^│ (?:Latency|Service time|TLS handshake|Req\/Sec|Bytes\/Sec)\s*│.*$/gm, '')
    .replace(/^│ Stat .*$/gm, '')
    .replace(/\b[\d.,]+[kMG]? requests? in [\d.]+s\b/g, '')
    // A value beside its limit.
    .replaceAll('11.99 req/s', '')
    // Options to be typed.
    .replace(/ --?[a-zA-Z][\w-]*[ =][\d.]+\S*/g, '')
    // Edges of ranges and ticks are round numbers of an axis: no zeros at their end.
    .replace(/^ {2} *[\d.]+( m?s)? – [\d.]+ m?s(?= )/gm, '')
    .replace(/^ {2} *[\d.]+ m?s(?= )/gm, '')
}

/** @param {string} text a page @returns {string} its words, without what a user or a machine wrote */
function wordsOf (text) {
  return text
    .replace(/<(script|style|head|code|pre|svg)\b[^]*?<\/\1>/g, ' ')
    .replace(/<section aria-labelledby="(?:repeat)"[^]*$/, ' ')
    .replace(/<time [^>]*>[^<]*<\/time>/g, ' ')
    .replace(/<\/(?:td|th|tr|li|p|dd|dt|h\d|figcaption|div)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'").replaceAll(/&(?:#60|lt);/g, '<').replaceAll(/&(?:#62|gt);/g, '>')
}

/**
 * @param {string} text
 * @returns {string[]} what is not as lib/core/units.js would write it, with what is around it
 */
function strangers (text) {
  const rest = own(text)
  const around = (/** @type {RegExpMatchArray} */ { index = 0, 0: found }) => {
    return `${found} in: ${rest.slice(Math.max(0, index - 40), index + found.length + 30).replaceAll('\n', '⏎')}`
  }
  return [
    ...[...rest.matchAll(QUANTITY)]
      .filter(({ groups: { digits, space, unit } = {} }) => space === '' || !FORMATS[unit]?.test(digits)),
    ...rest.matchAll(SYNONYMS)
  ].map(around)
}

/** @param {string} text @returns {string[]} */
function ungrouped (text) {
  return [...own(text).matchAll(UNGROUPED)].map(([digits]) => digits)
}

const color = createColors(false)
/** @returns {any} */
const terminal = (/** @type {boolean} */ isTTY, columns = 120) => ({ isTTY, columns, hasColors: () => false })

/** Figures of all magnitudes. @type {Record<string, Record<string, any>>} */
const RESULTS = {
  plain: exampleResult(),
  judged: exampleResult(VERDICTS),
  slow: exampleResult({ seconds: 3, ms: 1400, perSecond: 60, seed: 3 }),
  fast: exampleResult({ seconds: 2, ms: 0.05, perSecond: 9000, bad: 0.0002, seed: 4 }),
  long: exampleResult({ seconds: 200, perSecond: 12, seed: 5 }),
  interrupted: exampleResult({ interrupted: true, duration: 3.2, options: { duration: 10 } }),
  users: exampleResult({ bad: 0, ...exampleIterations({ rate: 130 }) }),
  rates: stagedResult({ stages: ['3s:100/s', 'peak=4s:700/s', '0s:100/s', '3s:100/s'] }),
  connections: stagedResult({ stages: ['2s:20', '2s:50'] }),
  search: { ...exampleResult({ bad: 0 }), search: searchOf({ knee: { value: 3200, p99: 9 } }) },
  failing: {
    ...exampleResult({ bad: 0 }),
    search: searchOf({ best: null, above: 100, limit: 'range', steps: [stepOf(100, failing)] })
  },
  'search over connections': {
    ...exampleResult({ bad: 0 }),
    search: searchOf({
      over: 'connections',
      unit: 'connections',
      best: 40,
      above: 41,
      steps: [stepOf(40, { achieved: 5123.4 }), stepOf(41, { ...failing, achieved: 5101, failureRate: 0.0213 })]
    })
  }
}
const [BASE, NEW] = [5, 7].map(ms => [1, 2, 3].map(seed => exampleResult({ seed, ms })))
const comparison = compare(BASE, NEW, ['p99 +10%', 'avg +20%'].map(parseRegression))

/** @returns {Record<string, string>} by their names */
function outputs () {
  /** @type {Record<string, string>} */
  const found = {}
  for (const [name, result] of Object.entries(RESULTS)) {
    for (const isTTY of [false, true]) {
      const how = { outputStream: terminal(isTTY), chartInTables: true, verbose: true }
      found[`${name} at a ${isTTY ? 'terminal' : 'pipe'}`] = printResult(result, how)
    }
    for (const format of ['md', 'junit']) found[`${name} as ${format}`] = formatResult(result, format)
    found[`${name} as a page`] = wordsOf(formatResult(result, 'html', { baseline: RESULTS.plain }))
    found[`${name} as a summary`] = toSummary(result)
    found[`${name}, its last line`] = conclusion(result, { code: 0 }, color)
  }
  const versus = { ...RESULTS.plain, comparison }
  found['versus as text'] = printResult(versus, { outputStream: terminal(true) })
  found['versus as md'] = formatResult(versus, 'md')
  const runs = { base: [{ rate: 4512.3, p50: 0.412, p99: 1202 }], new: [{ rate: 39.1, p50: 12, p99: 99 }] }
  const names = { base: 'old', new: 'new' }
  found['versus as a page'] = wordsOf(comparisonHtml(/** @type {any} */ ({
    comparison,
    names,
    last: { base: RESULTS.plain, new: RESULTS.slow },
    runs
  })))
  return { ...found, ...progress() }
}

/** @returns {Record<string, string>} what is shown while something goes on */
function progress () {
  let text = ''
  const stream = { ...terminal(true, 160), write: (/** @type {string} */ more) => { text += more } }
  let now = 0
  const race = { sides: { base: 'old', new: 'new' }, runs: 12, seconds: 30, starts: true }
  const progress = new VersusProgress(race, stream, () => now)
  progress.begin()
  for (const [i, result] of [RESULTS.plain, RESULTS.slow, RESULTS.fast].entries()) {
    now += 31_234
    progress.ended('base', i + 1, result)
  }
  const opts = { url: 'http://a', over: 'rate', from: 100, to: 20_000, step: 5, thresholds: ['p99 < 50ms'] }
  const search = new SearchProgress({ opts }, stream, { TERM: 'xterm' })
  search.start()
  search.tick(/** @type {any} */ ({ length: 1000, counter: 4321 }))
  search.step(stepOf(4210, { next: { value: 4270, attempt: 1 } }))
  search.step(stepOf(4270, { ...failing, failureRate: 0.0213, next: null }))
  const latency = new Histogram()
  for (const ms of [0.4, 12, 1400]) latency.record(ms)
  const live = { ratio: 0.5, done: '30 s of 3 min', left: 150 }
  /** @type {any} */
  const state = { title: '', progress: live, result: RESULTS.judged, minute: RESULTS.judged.series }
  return {
    'progress of versus and find': text,
    'a line of a log': logLine(state, { requests: 43_210, ms: 10_000, latency }),
    'a live view of one line': oneLine(state, 200)
  }
}

t.test('golden files', async t => {
  const names = readdirSync(GOLDEN, { recursive: true, encoding: 'utf8' }).filter(name => /\.(txt|md|xml)$/.test(name))
  t.ok(names.length > 70)
  for (const name of names) {
    const text = readFileSync(path.join(GOLDEN, name), 'utf8').replace(/ (?:time|timestamp)="[^"]*"/g, '')
    t.strictSame(strangers(text), [], name)
    t.strictSame(ungrouped(text), [], name)
  }
})

t.test('every other output', async t => {
  for (const [name, text] of Object.entries(outputs())) {
    const words = text.replace(/ (?:time|timestamp)="[^"]*"/g, '')
    t.ok(words.length > 10, name)
    t.strictSame(strangers(words), [], name)
    t.strictSame(ungrouped(words), [], name)
  }
})

t.test('another format is found', async t => {
  for (const text of [
    'p50 3.2 ms', 'p50 3.200 ms', 'p50 3.20ms', '1,502.3 ms', '412 µs', 'in 6.01s', '4s of 6s', '1m00s left', '2.076 % failed',
    '33.33 %', '5%', '46k requests', '100/s', '375 requests/s', '20 rounds/s', '12.34 req/s', '3.5 requests per second',
    '1234 req/s', '2.841 MB read', '300 KB'
  ]) t.ok(strangers(text).length > 0, text)
  for (const text of [
    'p50 3.20 ms', 'in 6.01 s', '3 min 20 s', '0.98 % of 5,000', '+5.3 %', '−5.0 %', '+1.23 points', '8,359 req/s', '0.5 req/s',
    '2.84 MB/s', '0 B read', '100 %', '±3.1 %', '1,204 s'
  ]) t.strictSame(strangers(text), [], text)
  t.strictSame(ungrouped('46388 of 46,388 requests'), ['46388'])
})
