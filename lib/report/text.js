'use strict'

// The report on a terminal: the tables and the summary.

const { sumOf } = require('../core/statistics')
const { AutocannonError, OptionsError } = require('../core/errors')
const { countedIn, countsMessages } = require('../core/counted')
const { printableData, show } = require('../core/foreign-text')
const { isRefusedByProxy } = require('../instruments/proxies/refused')
const { isListening } = require('../figures/parts')
const { PERCENTILES, percentileKey } = require('../record/percentiles')
const { formatBytes, formatInteger, plural } = require('../core/units')
const { latencyCell, milliseconds, rateCell, summaryOf } = require('./autocannon-9')
const { hasNoResponse } = require('../figures/parts')
const { configuredChecks } = require('../findings/redirects')
const { unfollowed } = require('../findings/responses')
const { factsIn, tablesIn, timesIn } = require('./document')
const { formatRead, skippedPart } = require('./figures')
const { hints, notesOf, warnings } = require('./findings')
const { headlineOf } = require('./headline')
const { Maxima } = require('./maxima')
const { completed, isRaw } = require('./partial')
const { clockSentence } = require('./clock')
const { screenOf, wrapped } = require('./prose')
const { resultLines } = require('./result-line')
const { table } = require('./table')
const { drawnTable, timeIn } = require('./terminal/drawn')
const { hasInterval, knownSentence } = require('./until')
const { comparisonText, thresholdText } = require('./terminal/verdicts')

/** The number of reasons of failed checks that are shown. */
const MOST_REASONS = 10

/** The default percentiles. */
const SHOWN = [2.5, 50, 97.5, 99]

/** The start of a table, or the empty line above a chart. */
const TABLE = /^(?:┌|$)/

/**
 * @typedef {object} TextOptions
 * @property {NodeJS.WritableStream} [outputStream] decides whether colours are used; stderr when left out
 * @property {boolean} [renderResultsTable] true by default
 * @property {boolean} [renderLatencyTable]
 * @property {boolean} [renderLatencyChart]
 * @property {boolean} [verbose] whether all rows are shown, and all tables of a run with user scenarios
 * @property {boolean} [chartInTables] whether the chart of latencies is shown with the tables
 * @property {boolean} [renderStatusCodes]
 * @property {boolean} [renderRequestTable] by default as renderResultsTable, if more than one request has a name
 * @property {boolean} [concluded] whether a last line with the verdict and its reason follows: the report omits both
 */

/**
 * @param {Record<string, any>} given a result
 * @param {TextOptions} [options]
 * @returns {string} ends with a line break
 */
function printResult (given, options = {}) {
  if (typeof given !== 'object' || given === null) {
    throw new OptionsError([`printResult: expected a result, got ${show(given)}`])
  }
  if (isRaw(given)) {
    throw new AutocannonError('AC_AGGREGATE', 'a raw result has no figures yet: pass it through aggregateResult first')
  }
  const result = completed(printableData(given))
  const {
    outputStream = process.stderr, renderResultsTable = true, renderLatencyTable = false, renderLatencyChart = false,
    renderStatusCodes = false
  } = options
  const { verbose = false, chartInTables = false, concluded = false } = options
  // A run with user scenarios has one table, so that its verdict is on the same screen.
  const isShort = !verbose && isOfUsers(result)
  const hasTables = renderResultsTable && !isShort
  const { renderRequestTable = hasTables && Object.keys(result.byRequest ?? {}).length > 1 } = options
  const screen = screenOf(outputStream)
  // A search has many loads, so its total figures mean nothing.
  if (result.search !== undefined && !hasNoResponse(result) && !isRefusedByProxy(result)) {
    const { searchText } = require('./search')
    const agents = result.agents === undefined ? '' : `\n${agentTable(result, screen)}`
    return wrapped(`\n${searchText(result, screen, renderResultsTable)}\n${agents}`, screen)
  }
  const tables = tablesOf(result, screen, {
    hasTables,
    isShort: renderResultsTable && isShort,
    verbose,
    renderRequestTable,
    renderLatencyTable,
    renderLatencyChart: renderLatencyChart || (chartInTables && hasTables),
    renderStatusCodes
  })
  const machine = verbose ? require('./machine').machineSentence(result) : null
  const { explained = [] } = concluded ? headlineOf(result) : {}
  const sentences = [
    ...summary(result, screen.color, { codes: !renderStatusCodes && !hasTables, concluded, explained }),
    ...machine === null ? [] : [machine]
  ]
  const judged = result.thresholds?.length > 0
    ? [thresholdText(result, screen, { concluded, explained }).trimEnd()]
    : []
  const compared = result.comparison === undefined ? [] : [comparisonText(result.comparison, screen).trimEnd()]
  // With user scenarios, the verdict comes before a screenful of tables. Other reports are ordered as in autocannon 9.
  const sections = isOfUsers(result)
    ? [judged, ...isShort ? [tables, sentences] : [sentences, tables], compared]
    : [[...tables, ...sentences], judged, compared]
  const [first = '', ...others] = sections.filter(lines => lines.length > 0)
    .map(lines => lines.join('\n').replace(/\n+$/, ''))
  const head = isEmpty(result) ? [] : resultLines(result, screen)
  if (head.length === 0 && first === '') return '\nThe result has no figures.\n'
  // There is an empty line above tables, and none above a summary.
  const space = head.length > 0 && TABLE.test(first) ? [''] : []
  return wrapped(`\n${[[...head, ...space, first].join('\n'), ...others].join('\n\n')}\n`, screen)
}

/**
 * @param {Record<string, any>} result
 * @param {Screen} screen
 * @param {{ hasTables: boolean, isShort: boolean, verbose: boolean } & Required<Pick<TextOptions, 'renderRequestTable'
 *   | 'renderLatencyTable' | 'renderLatencyChart' | 'renderStatusCodes'>>} how `hasTables`: all tables; `isShort`: the
 *   single table of a run with user scenarios in their place
 */
function tablesOf (result, screen, {
  hasTables, isShort, verbose, renderRequestTable, renderLatencyTable, renderLatencyChart, renderStatusCodes
}) {
  const parts = []
  const hasResponses = result.requests.total > 0 || result.streams?.events > 0 || result.websocket?.ping?.totalCount > 0
  const isKnown = (/** @type {Record<string, unknown>} */ figures) => Object.values(figures).some(Number.isFinite)
  if (isShort && hasResponses) parts.push(drawnTable(require('./overview').overviewTable(result), screen))
  if (hasTables && hasResponses && isKnown(result.latency)) parts.push(latencyTable(result, screen))
  // Lazy, for the start-up time.
  if (renderLatencyChart && hasResponses) {
    parts.push(...chart(require('./latency-chart').latencyChart(result.latency, screen)))
  }
  if (hasTables && hasResponses && Number.isFinite(result.requests.average)) parts.push(volumeTable(result, screen))
  /** @type {Record<string, boolean>} */
  const isShown = { requests: renderRequestTable, stages: hasTables && hasResponses, agents: hasTables || isShort }
  for (const one of tablesIn(result, 'text', { verbose })) {
    if (isShown[one.id] ?? hasTables) parts.push(drawnTable(one, screen) + '\n')
  }
  if (renderLatencyTable && result.latency.totalCount > 0) parts.push(percentileTable(result, screen))
  if (hasResponses && result.statusCodeStats !== undefined && (renderStatusCodes || (hasTables && result.non2xx > 0))) {
    parts.push(statusTable(result, screen))
  }
  return parts
}

/** Lazy, for the start-up time. @param {Record<string, any>} result */
function isOfUsers (result) {
  return result.iterations !== undefined && require('./overview').hasOverview(result)
}

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether --skip-first excludes all responses
 */
function isEmpty (result) {
  return hasNoResponse(result) && skippedPart(result) !== null
}

/**
 * @typedef {import('./table').Colors} Colors
 * @typedef {import('./table').Screen} Screen
 */

/** @param {Record<string, any>} result @param {Screen} screen */
function latencyTable (result, screen) {
  const { latency, serviceTime, rate, percentiles = SHOWN } = result
  const columns = [...percentiles.map(percentileKey), 'average', 'stddev', 'max']
  const maxima = new Maxima()
  const cells = (/** @type {Record<string, number>} */ distribution, /** @type {boolean} */ brief) =>
    columns.map(key => timeIn(distribution, key, maxima, ms => latencyCell(ms, { brief, wraps: screen.wraps })))
  return noted(maxima, table(screen, ['Stat', ...percentiles.map(titleOf), 'Avg', 'Stdev', 'Max'], brief => [
    ...isListening(result) ? [] : [[{ text: 'Latency', paint: screen.color.bold }, ...cells(latency, brief)]],
    // Without a rate, it is the latency.
    ...rate === undefined ? [] : [[{ text: 'Service time', paint: screen.color.bold }, ...cells(serviceTime, brief)]],
    ...timesIn(result).filter(({ isBrief }) => isBrief)
      .map(({ name, distribution }) => [{ text: name, paint: screen.color.bold }, ...cells(distribution, brief)])
  ]))
}

/**
 * @param {Maxima} maxima in the table
 * @param {string} drawn
 * @param {string[]} [rest] a sentence on the omitted rows
 * @returns {string} with the notes below
 */
function noted ({ notes }, drawn, rest = []) {
  return [drawn, ...notes, ...rest].join('\n')
}

/** @param {string[]} lines @returns {string[]} with an empty line above and below; none without a line */
function chart (lines) {
  return lines.length === 0 ? [] : ['', ...lines, '']
}

/** @param {number} percentile */
function titleOf (percentile) {
  return `${percentile}%`
}

/** @param {Record<string, any>} result @param {Screen} screen */
function volumeTable (result, screen) {
  const { requests, throughput, sampleInt, samples } = result
  const what = countsMessages(result) ? 'Msg' : 'Req'
  /** @param {string} title @param {Record<string, number>} series @param {(value: number) => string} format */
  const row = (title, { p1, p2_5: p25, p50, p97_5: p975, average, stddev, min }, format) => [
    { text: title, paint: screen.color.bold },
    ...[p1, p25, p50, p975, average, stddev, min].map(value => format(value))
  ]
  const counted = [...isListening(result) ? [] : [what], ...throughput === null ? [] : ['Bytes']]
  const every = sampleInt === 1000 ? 'once per second' : `every ${formatInteger(sampleInt)} ms`
  return table(screen, ['Stat', '1%', '2.5%', '50%', '97.5%', 'Avg', 'Stdev', 'Min'], brief => [
    ...isListening(result) ? [] : [row(`${what}/Sec`, requests, value => rateCell(value, brief))],
    ...throughput === null ? [] : [row('Bytes/Sec', throughput, formatBytes)]
  ]) + `\n\n${counted.join('/')} counts sampled ${every}.\n# of samples: ` +
    `${formatInteger(samples)}\n`
}

/** @param {Record<string, any>} result @param {Screen} screen */
function agentTable (result, screen) {
  const tables = tablesIn(result, 'text').filter(({ id }) => id === 'agents')
  return tables.map(one => drawnTable(one, screen) + '\n').join('')
}

/** @param {Record<string, any>} result @param {Screen} screen */
function percentileTable ({ latency, percentiles = PERCENTILES }, screen) {
  // Results of older versions have fewer.
  const measured = percentiles.filter((/** @type {number} */ percentile) =>
    latency[percentileKey(percentile)] !== undefined)
  const maxima = new Maxima()
  const rows = () => measured.map((/** @type {number} */ percentile) => {
    const key = percentileKey(percentile)
    const name = { text: String(percentile), paint: screen.color.bold }
    return [name, maxima.mark(milliseconds(latency[key]), key, latency)]
  })
  return noted(maxima, table(screen, ['Percentile', 'Latency (ms)'], rows)) + '\n'
}

/** @param {Record<string, any>} result @param {Screen} screen */
function statusTable ({ statusCodeStats }, screen) {
  return table(screen, ['Code', 'Count'], () => Object.entries(statusCodeStats).map(([status, { count }]) =>
    [{ text: status, paint: colorOfStatus(screen.color, status) }, formatInteger(count)]), { elastic: [0] }) + '\n'
}

/** @param {Colors} color @param {string} status */
function colorOfStatus (color, status) {
  return { 2: color.green, 3: color.yellow, 4: color.red, 5: color.red }[status[0]] ?? color.cyan
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 * @param {{ codes: boolean, concluded: boolean, explained: unknown[] }} how `codes`: whether to list the status codes;
 *   `concluded`: whether a last line has the verdict; `explained`: judgements whose reasons are in it
 */
function summary (result, color, { codes, concluded, explained }) {
  const lines = []
  // Redirects that users follow are expected.
  if (result.non2xx > 0 && (result.iterations === undefined || unfollowed(result) > 0)) {
    const { failures = result.errors + result['4xx'] + result['5xx'] } = result
    const paint = failures > result.errors
      ? color.red
      : unfollowed(result) > 0 ? color.yellow : (/** @type {string} */ line) => line
    lines.push(paint(`${plural(result['2xx'], '2xx response')}, ${plural(result.non2xx, 'non 2xx response')}`))
    if (codes && result.statusCodeStats !== undefined) {
      const counts = Object.entries(result.statusCodeStats)
        .map(([status, { count }]) => colorOfStatus(color, status)(`${formatInteger(count)} × ${status}`))
      lines.push(`Status codes: ${counts.join(', ')}`)
    }
  }
  const skipped = skippedPart(result)
  const isWhole = !isEmpty(result)
  if (isWhole) lines.push(...volume(result))
  lines.push(...factsIn(result, 'parts'))
  const { http, client, proxy } = result
  if (result.requests.total > 0 && (http === '2' || client !== undefined || proxy !== undefined)) {
    lines.push(require('../instruments/proxies/report').transportSentence(result))
  }
  lines.push(...factsIn(result, 'times'))
  const server = result.server === undefined ? null : require('../instruments/server/report').serverSentence(result)
  if (server !== null) lines.push(server)
  const trace = result.options?.trace === undefined
    ? null
    : require('../instruments/exemplars/report').traceSentence(result)
  if (trace !== null) lines.push(trace)
  const known = knownSentence(result)
  if (known !== null && (hasInterval(result.until) || !explained.includes(result.until))) {
    const { reached, width, target, expression } = result.until
    const isWide = hasInterval(result.until) && width > target
    lines.push(reached ? known : color.yellow(isWide ? `${known}: not as precise as ${expression}` : known))
  }
  const silences = notesOf(result, ['outcome']).filter(({ code }) => code === 'silence')
  lines.push(...silences.map(({ text }) => color.red(text)))
  if (skipped !== null && isWhole) lines.push(skipped[0].toUpperCase() + skipped.slice(1))
  // Lazy, for the start-up time.
  if (result.errors > 0) lines.push(...require('./errors').errorLines(result, color))
  if (result.mismatches > 0) {
    const { one, many } = countedIn(result)
    const text = plural(result.mismatches, `${one} with a mismatched body`, `${many} with a mismatched body`)
    lines.push(color.red(text))
  }
  lines.push(...checkLines(result, color))
  for (const { lead, severity } of notesOf(result, ['resending'])) {
    lines.push(severity === 'warning' ? color.yellow(String(lead)) : String(lead))
  }
  const timed = clockSentence(result)
  if (timed !== null) lines.push(timed)
  if (result.resets > 0) lines.push(`${plural(result.resets, 'request pipeline reset')}`)
  // Without a response the hint is the reason of the verdict.
  const hinted = concluded && result.requests.total === 0 ? [] : hints(result)
  const others = [...hinted, ...warnings(result)].filter(({ code }) => !explained.includes(code))
  lines.push(...others.map(({ text }) => color.yellow(text)))
  return lines
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} how much was sent and read in which time, as far as it is known
 */
function volume (result) {
  const line = [summaryOf(result), formatRead(result)].filter(text => text !== '').join(', ')
  return line === '' ? [] : [line[0].toUpperCase() + line.slice(1)]
}

/**
 * @param {Record<string, any>} result
 * @param {Colors} color
 * @returns {string[]} how many checks passed, and the most frequent reasons of failures
 */
function checkLines (result, color) {
  const checks = configuredChecks(result)
  const [passed, failed] = ['passed', 'failed'].map(verdict => sumOf(checks, check => check[verdict]))
  if (passed + failed === 0) return []
  if (failed === 0) return [color.green(`${plural(checks.length, 'check')} passed in ${plural(passed, 'evaluation')}`)]
  const reasons = checks.flatMap((/** @type {any} */ { name, request, reasons }) =>
    Object.entries(reasons)
      .map(([reason, n]) => ({ n, text: `${name}${request === undefined ? '' : ` of ${request}`}: ${reason}` })))
    .sort((/** @type {any} */ a, /** @type {any} */ b) => b.n - a.n)
  return [
    color.red(`Checks failed ${plural(failed, 'time')}, and passed ${plural(passed, 'time')}:`),
    ...reasons.slice(0, MOST_REASONS).map((/** @type {any} */ { n, text }) => `  ${formatInteger(n)} × ${text}`),
    ...reasons.length > MOST_REASONS ? [`  and ${plural(reasons.length - MOST_REASONS, 'more reason')}`] : []
  ]
}

module.exports = { printResult }
