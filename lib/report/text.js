'use strict'

// Owns the report for people at a terminal: the tables and the summary, as a function of the result.

const { AutocannonError } = require('../errors')
const { cut, printableData } = require('../foreign-text')
const { PERCENTILES, percentileKey } = require('../stats/percentiles')
const { formatBytes, formatInteger, formatMs, formatSeconds, plural } = require('../units')
const { colorsFor } = require('./colors')
const { formatRate, formatSent } = require('./figures')
const { errorList, shortages, warnings } = require('./notes')
const { table } = require('./table')
const { comparisonText, thresholdText } = require('./verdicts')

/** How many reasons of failed checks are shown. */
const MOST_REASONS = 10

/** How much of the name of a request is shown. */
const LONGEST_NAME = 40

/**
 * @typedef {object} TextOptions
 * @property {NodeJS.WritableStream} [outputStream] decides whether colours are used; stderr when left out
 * @property {boolean} [renderResultsTable] true when left out
 * @property {boolean} [renderLatencyTable]
 * @property {boolean} [renderStatusCodes]
 * @property {boolean} [renderRequestTable] when left out, as renderResultsTable if more than one request has a name
 */

/**
 * @param {Record<string, any>} given a result
 * @param {TextOptions} [options]
 * @returns {string} ends with a line break
 */
function printResult (given, options = {}) {
  const result = printableData(given)
  const { outputStream = process.stderr, renderResultsTable = true, renderLatencyTable = false, renderStatusCodes = false } = options
  const { renderRequestTable = renderResultsTable && Object.keys(result.byRequest ?? {}).length > 1 } = options
  const color = colorsFor(outputStream)
  const parts = []
  if (result.requests === undefined) throw new AutocannonError('AC_AGGREGATE', 'a raw result has no figures yet: pass it through aggregateResult first')
  const answered = result.requests.total > 0
  if (renderResultsTable && answered) parts.push(latencyTable(result, color), volumeTable(result, color))
  if (renderRequestTable && Object.keys(result.byRequest ?? {}).length > 0) parts.push(requestTable(result, color))
  if (renderLatencyTable && answered) parts.push(percentileTable(result, color))
  if (renderStatusCodes && answered) parts.push(statusTable(result, color))
  parts.push(summary(result, color))
  if (result.thresholds?.length > 0) parts.push('', thresholdText(result, color).trimEnd())
  if (result.comparison !== undefined) parts.push('', comparisonText(result.comparison, color).trimEnd())
  return '\n' + parts.join('\n') + '\n'
}

/** @typedef {import('./table').Colors} Colors */

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 */
function latencyTable ({ latency, serviceTime, rate, percentiles = [2.5, 50, 97.5, 99] }, color) {
  /**
   * @param {string} title
   * @param {Record<string, number>} distribution
   */
  const row = (title, distribution) => [color.bold(title),
    ...[...percentiles.map((/** @type {number} */ percentile) => distribution[percentileKey(percentile)]), distribution.average, distribution.stddev, distribution.max]
      .map(value => `${formatMs(value)} ms`)]
  return table(color, ['Stat', ...percentiles.map((/** @type {number} */ percentile) => `${percentile}%`), 'Avg', 'Stdev', 'Max'], [
    row('Latency', latency),
    // Without a rate both are the same.
    ...rate === undefined ? [] : [row('Service time', serviceTime)]
  ])
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 */
function volumeTable ({ requests, throughput, sampleInt, samples }, color) {
  /**
   * @param {string} title
   * @param {Record<string, number>} series
   * @param {(value: number) => string} format
   */
  const row = (title, series, format) => [color.bold(title),
    ...[series.p1, series.p2_5, series.p50, series.p97_5, series.average, series.stddev, series.min].map(format)]
  const every = sampleInt === 1000 ? 'once per second' : `every ${formatInteger(sampleInt)} ms`
  return table(color, ['Stat', '1%', '2.5%', '50%', '97.5%', 'Avg', 'Stdev', 'Min'], [
    row('Req/Sec', requests, formatRate),
    row('Bytes/Sec', throughput, formatBytes)
  ]) + `\n\nReq/Bytes counts sampled ${every}.\n# of samples: ${formatInteger(samples)}\n`
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 */
function requestTable ({ byRequest, duration, percentiles = [2.5, 50, 97.5, 99] }, color) {
  const requests = /** @type {Array<[string, any]>} */ (Object.entries(byRequest))
  const checked = requests.some(([, { checks }]) => checks.length > 0)
  /** @param {number} n */
  const bad = n => n > 0 ? color.red(formatInteger(n)) : '0'
  return table(color, ['Request', 'Count', 'Req/Sec', ...percentiles.map((/** @type {number} */ percentile) => `${percentile}%`), 'Avg', 'Max', 'Errors', ...checked ? ['Failed checks'] : []],
    requests.map(([name, { count, latency, errors, checks }]) => [
      color.bold(cut(name, LONGEST_NAME)),
      formatInteger(count),
      formatRate(count / duration),
      ...[...percentiles.map((/** @type {number} */ percentile) => latency[percentileKey(percentile)]), latency.average, latency.max].map(value => `${formatMs(value)} ms`),
      bad(errors),
      ...checked ? [bad(checks.reduce((/** @type {number} */ sum, /** @type {any} */ { failed }) => sum + failed, 0))] : []
    ])) + '\n'
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 */
function percentileTable ({ latency, percentiles = PERCENTILES }, color) {
  return table(color, ['Percentile', 'Latency (ms)'],
    percentiles.map((/** @type {number} */ percentile) => [color.bold(String(percentile)), formatMs(latency[percentileKey(percentile)])])) + '\n'
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 */
function statusTable ({ statusCodeStats }, color) {
  return table(color, ['Code', 'Count'],
    Object.entries(statusCodeStats).map(([status, { count }]) => [colorOfStatus(color, status)(status), formatInteger(count)])) + '\n'
}

/**
 * @param {Colors} color
 * @param {string} status
 */
function colorOfStatus (color, status) {
  return status.startsWith('2') || status.startsWith('3') ? color.green : color.red
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 */
function summary (result, color) {
  const lines = []
  if (result.non2xx > 0) lines.push(`${plural(result['2xx'], '2xx response')}, ${plural(result.non2xx, 'non 2xx response')}`)
  lines.push(`${formatSent(result)} requests in ${formatSeconds(result.duration)}, ${formatBytes(result.throughput.total)} read`)
  if (result.errors > 0) lines.push(color.red(`${plural(result.errors, 'error')}: ${errorList(result.errorCodes)}`))
  if (result.mismatches > 0) lines.push(color.red(plural(result.mismatches, 'request with a mismatched body', 'requests with a mismatched body')))
  lines.push(...checkLines(result, color))
  if (result.resent > 0) lines.push(`${plural(result.resent, 'request was', 'requests were')} sent again: the server closed the connection after an earlier answer`)
  if (result.resets > 0) lines.push(`${plural(result.resets, 'request pipeline reset')}`)
  if (result.requests.total === 0) {
    lines.push(color.yellow(result.errors > 0
      ? `Nothing answered at ${[result.url].flat().join(', ')}: is the server running there?`
      : 'The run ended before the first answer.'))
  }
  for (const warning of [...shortages(result), ...warnings(result)]) lines.push(color.yellow(warning))
  return lines.join('\n')
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 * @returns {string[]} how many checks passed, and the most frequent reasons of those that did not
 */
function checkLines ({ checks = [] }, color) {
  /** @param {'passed' | 'failed'} what */
  const sum = what => checks.reduce((/** @type {number} */ sum, /** @type {any} */ check) => sum + check[what], 0)
  const [passed, failed] = [sum('passed'), sum('failed')]
  if (passed + failed === 0) return []
  if (failed === 0) return [color.green(`${plural(passed, 'check')} passed`)]
  const reasons = checks.flatMap((/** @type {any} */ { name, request, reasons }) =>
    Object.entries(reasons).map(([reason, n]) => ({ n, text: `${name}${request === undefined ? '' : ` of ${request}`}: ${reason}` })))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => b.n - a.n)
  return [
    color.red(`${plural(failed, 'check')} failed, ${formatInteger(passed)} passed:`),
    ...reasons.slice(0, MOST_REASONS).map((/** @type {any} */ { n, text }) => `  ${formatInteger(n)} × ${text}`),
    ...reasons.length > MOST_REASONS ? [`  and ${plural(reasons.length - MOST_REASONS, 'more reason')}`] : []
  ]
}

module.exports = { printResult }
