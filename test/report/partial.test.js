'use strict'

// Partial results: of another tool or version, or with keys removed. Each report shows what there is.

const t = require('tap')
const fc = require('fast-check')
const { PassThrough } = require('node:stream')
const { compareResults, formatResult, printResult } = require('../..')
const { RENDERERS } = require('../../lib/parts')
const { completed } = require('../../lib/report/partial')
const { cases } = require('../helpers/effort')
const { exampleResult, exampleIterations, VERDICTS } = require('../helpers/results/example-result')

const NINE = require('../fixtures/results/autocannon-9.json')

const RESULTS = {
  plain: exampleResult({ seconds: 4, perSecond: 50 }),
  judged: exampleResult({ seconds: 4, perSecond: 50, ...VERDICTS }),
  users: exampleResult({ seconds: 4, perSecond: 50, ...exampleIterations() }),
  'autocannon 9': NINE
}

const plain = new PassThrough()
const ALL = { outputStream: plain, renderLatencyTable: true, renderLatencyChart: true, renderStatusCodes: true, verbose: true }

/** @type {Record<string, (result: any) => string>} */
const REPORTS = {
  text: result => printResult(result, ALL),
  short: result => printResult(result, { outputStream: plain, concluded: true }),
  md: result => formatResult(result, 'md'),
  html: result => formatResult(result, 'html').replace(/<(script|style)[^]*?<\/\1>/g, ''),
  csv: result => formatResult(result, 'csv'),
  junit: result => formatResult(result, 'junit'),
  ndjson: result => formatResult(result, 'ndjson')
}

const isPart = value => typeof value === 'object' && value !== null && !(value instanceof Date)

/** Removes keys: each path is a key, or a key and one below it. */
function without (result, paths) {
  const copy = { ...result }
  for (const [key, below] of paths) {
    if (below === undefined) delete copy[key]
    else if (isPart(copy[key])) {
      copy[key] = Array.isArray(copy[key]) ? [...copy[key]] : { ...copy[key] }
      if (Array.isArray(copy[key])) copy[key].splice(Number(below), 1)
      else delete copy[key][below]
    }
  }
  return copy
}

const pathsOf = result => Object.entries(result).flatMap(([key, value]) => [[key], ...isPart(value) ? Object.keys(value).slice(0, 60).map(below => [key, below]) : []])

/** @param {any} result @param {string[]} path */
const partOf = (result, [key, below]) => JSON.stringify(below === undefined ? result[key] : result[key]?.[below])

/** A part that is the same in the plain result is proven with that one. @param {any} result @param {string[]} path */
const isKnown = (result, path) => result !== RESULTS.plain && partOf(result, path) === partOf(RESULTS.plain, path)

/** @param {string} format @returns {number} how often chance removes keys: a page takes much longer than other reports */
const runsOf = format => format === 'html' ? cases(12, 3) : cases(60, 8)

/** Otherwise each part of a part is missing in every third report, and each part meets each value in one report: npm run test:all has all of them. */
const EVERY = process.env.CONTRACT_MODES === 'all'

for (const [name, result] of Object.entries(RESULTS)) {
  for (const [i, [format, write]] of Object.entries(REPORTS).entries()) {
    t.test(`${name} as ${format}: without any key, any two keys, and any subset, it shows what there is`, async t => {
      const holds = paths => {
        const text = write(without(result, paths))
        // With .* around it this takes the square of a line: a third of the time of this file.
        const at = format === 'ndjson' ? -1 : text.search(/\b(?:NaN|undefined|null|Infinity|Invalid Date)\b/)
        if (at !== -1) throw new Error(`${JSON.stringify(paths)}: ${text.slice(Math.max(0, at - 100), at + 100)}`)
        return typeof text === 'string'
      }
      const paths = pathsOf(result)
      for (const [j, path] of paths.entries()) if (!isKnown(result, path) && (EVERY || path.length === 1 || (i + j) % 3 === 0)) holds([path])
      fc.assert(fc.property(fc.subarray(paths, { maxLength: 40 }), holds), { seed: 35, numRuns: runsOf(format) })
      const keys = Object.keys(result).map(key => [key])
      fc.assert(fc.property(fc.subarray(keys), holds), { seed: 36, numRuns: runsOf(format) })
    })
  }
}

/** Of another type than any part has, or a part that has such parts. */
const STRANGE = [null, 'x', [null], { a: {} }]

/** @param {any} part @param {string[]} path @param {unknown} value */
function having (part, [key, ...below], value) {
  const copy = Array.isArray(part) ? [...part] : { ...part }
  copy[key] = below.length === 0 ? value : having(part[key], below, value)
  return copy
}

for (const [i, [name, result]] of Object.entries(RESULTS).entries()) {
  t.test(`${name}: with anything in the place of a part, each report shows what there is`, async t => {
    let left = 0
    const paths = pathsOf(result).filter(([key, below]) => below === undefined || !Array.isArray(result[key]) || below === '0')
    for (const [j, path] of paths.entries()) {
      // A part that is known has met each value, and meets one here.
      for (const [k, value] of (isKnown(result, path) ? [STRANGE[(i + j) % STRANGE.length]] : STRANGE).entries()) {
        for (const [l, [format, write]] of Object.entries(REPORTS).entries()) {
          if (!EVERY && (j + k + l) % Object.keys(REPORTS).length > 0) {
            left++
            continue
          }
          try {
            write(having(result, path, value))
          } catch (error) {
            t.fail(`${format}: ${path.join('.')}: ${JSON.stringify(value)}: ${error.stack}`)
          }
        }
      }
    }
    t.ok(paths.length > 20)
    if (left > 0) t.comment(`${left} more combinations: npm run test:all`)
  })
}

t.test('a page without its histogram, or with a damaged one, is whole but for its charts', async t => {
  const { plain: result } = RESULTS
  for (const histogram of ['damaged', 'AAAA', result.latency.histogram.slice(0, 60), 5, null]) {
    const page = formatResult(having(result, ['latency', 'histogram'], histogram), 'html')
    t.match(page, '</html>', String(histogram))
    t.notMatch(page, 'Latency by percentile', String(histogram))
  }
  t.match(formatResult(result, 'html'), 'Latency by percentile')
})

t.test('what is fit of a part is shown', async t => {
  const { judged } = RESULTS
  const starved = { expression: 'generator <= busy', metric: 'generator', actual: 'starved', unit: '', passed: false }
  t.match(REPORTS.text({ ...judged, thresholds: [starved] }), /generator <= busy +│ starved/, 'the value of a threshold may be a word')
  t.equal(formatResult({ ...judged, series: [null, ...judged.series, 5] }, 'ndjson'), formatResult(judged, 'ndjson'))
  for (const format of ['md', 'html', 'csv', 'junit']) {
    t.equal(formatResult({ ...judged, checks: [null, ...judged.checks, {}], thresholds: [...judged.thresholds, 'x'] }, format), formatResult(judged, format), format)
  }
})

t.test('an empty result is reported as one', async t => {
  t.equal(printResult({}, { outputStream: plain }), '\nThe result has no figures.\n')
  for (const format of Object.keys(RENDERERS)) t.type(formatResult({}, format), 'string', format)
})

t.test('a comparison with a partial result is refused with a code, or says what it has', async t => {
  const result = RESULTS.plain
  const other = exampleResult({ seed: 2, seconds: 4, perSecond: 50 })
  fc.assert(fc.property(fc.subarray(pathsOf(result)), paths => {
    try {
      compareResults(without(result, paths), other)
    } catch (error) {
      if (error.code !== 'AC_AGGREGATE') throw error
    }
  }), { seed: 37, numRuns: 200 })
  for (const path of pathsOf(result)) {
    try {
      const { metrics } = compareResults(without(result, [path]), other)
      for (const { metric, base } of metrics) t.ok(base === null || Number.isFinite(base), `${path}: ${metric}`)
    } catch (error) {
      t.equal(error.code, 'AC_AGGREGATE', `${path}: ${error.stack}`)
    }
  }
})

t.test('a figure that a part need not have is null where it is missing, and the part stays', async t => {
  const streams = { opened: 1, events: 1, eventsPerSecond: 1, stalls: 0, closed: 0, truncated: 0, firstEvent: {}, gap: {}, duration: {}, goodput: [{ expression: 'gap max < 1s', good: 1, requests: 1 }] }
  const result = completed({ ...exampleResult(), connecting: { ms: 5 }, streams })
  t.strictSame([result.connecting, result.streams.goodput[0].share], [{ ms: 5, requestsPerSecond: null }, null])
})
