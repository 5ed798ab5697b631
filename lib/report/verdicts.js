'use strict'

// Owns how thresholds and comparisons are shown: as text for a terminal, and as Markdown for a pull request. What it is given is
// printable (lib/foreign-text.js).

const { formatBytes, formatDifference, formatInteger, plural } = require('../units')
const { briefMs, briefRate, ms } = require('./figures')
const markdown = require('./markdown-text')
const { table } = require('./table')

/**
 * @typedef {import('./table').Screen} Screen
 * @typedef {Record<string, any>} Result
 */

/**
 * @param {string} unit as in `result.thresholds`
 * @param {number | null} value
 * @param {boolean} [brief]
 * @returns {string}
 */
function formatFigure (unit, value, brief = false) {
  if (value === null) return '–'
  switch (unit) {
    case 'ms': return brief ? briefMs(value) : ms(value)
    case 'share': return `${significant(value * 100)} %`
    case 'bytes/s': return `${formatBytes(value)}/s`
    case 'requests/s': return Math.abs(value) < 100 ? significant(value) : brief ? briefRate(value) : formatInteger(value)
    default: return formatInteger(value)
  }
}

/**
 * @param {number} value
 * @param {number} [digits]
 */
function significant (value, digits = 3) {
  return String(Number(value.toPrecision(digits)))
}

/**
 * What has just missed its limit must not look as if it had met it.
 * @param {{ unit: string, actual: number | null }} threshold
 */
function formatActual ({ unit, actual }) {
  if (actual === null || unit === 'count' || unit === 'bytes/s') return formatFigure(unit, actual)
  const [factor, sign] = unit === 'ms' ? [1, ' ms'] : unit === 'share' ? [100, ' %'] : [1, '']
  const shown = actual * factor
  return (Math.abs(shown) < 10_000 ? significant(shown, 5) : formatInteger(shown)) + sign
}

/**
 * @param {{ passed: boolean | null }} judged
 * @returns {'✓' | '✗' | '–'}
 */
function mark ({ passed }) {
  return passed === null ? '–' : passed ? '✓' : '✗'
}

/**
 * @param {Result} result
 * @returns {string[]} what has to be said beside the table
 */
function remarks ({ thresholds, interrupted }) {
  if (interrupted) return ['The run was interrupted: no threshold was judged.']
  const notes = thresholds.filter((/** @type {any} */ { note }) => note !== undefined).map((/** @type {any} */ { expression, note }) => `${expression}: ${note}.`)
  const lost = thresholds.find((/** @type {{ aborted?: boolean }} */ { aborted }) => aborted)
  return lost === undefined ? notes : [...notes, `The run ended early: ${lost.expression} could not be met any more.`]
}

/**
 * @param {Result} result with at least one threshold
 * @param {Screen} screen
 * @returns {string} ends with a line break
 */
function thresholdText (result, screen) {
  const { color } = screen
  const rows = result.thresholds.map((/** @type {any} */ threshold) => {
    const paint = threshold.passed === null ? color.yellow : threshold.passed ? color.green : color.red
    return [{ text: mark(threshold), paint }, threshold.expression, formatActual(threshold)]
  })
  return [table(screen, ['', 'Threshold', 'Actual'], () => rows, { elastic: [1] }), ...remarks(result).map(color.yellow)].join('\n') + '\n'
}

/**
 * @param {Result} result with at least one threshold
 * @returns {string}
 */
function thresholdMarkdown (result) {
  const failed = result.thresholds.filter((/** @type {any} */ { passed }) => passed === false).length
  const head = result.interrupted ? '' : failed === 0 ? '✅ All thresholds passed.\n\n' : `❌ ${plural(failed, 'threshold')} of ${formatInteger(result.thresholds.length)} failed.\n\n`
  const rows = result.thresholds.map((/** @type {any} */ threshold) => [markdown.code(threshold.expression), formatActual(threshold), mark(threshold)])
  return head + markdown.table(['Threshold', '>Actual', '>'], rows) + '\n' + remarks(result).map(line => `\n${markdown.text(line)}\n`).join('')
}

/** @typedef {import('../../index').Comparison} Comparison */

/** What better and worse are called. */
const WORDS = {
  ms: { better: 'faster', worse: 'slower' },
  'requests/s': { better: 'faster', worse: 'slower' },
  'bytes/s': { better: 'more', worse: 'less' },
  share: { better: 'fewer', worse: 'more' },
  count: { better: 'better', worse: 'worse' }
}

/**
 * @param {Comparison['metrics'][number]} metric
 * @param {boolean} [brief]
 * @returns {string[]} the cells of its row
 */
function cells (metric, brief = false) {
  const { unit, low, high, verdict } = metric
  // Where there is little room, the unit stands with the difference only.
  const [from, to] = [low, high].map(value => formatDifference(unit, value))
  const between = low === null ? '–' : `${withoutUnit(from)} … ${brief ? withoutUnit(to) : to}`
  const words = verdict === 'better' || verdict === 'worse' ? WORDS[unit][verdict] : verdict === 'unknown' ? 'can\'t be told' : 'no difference found'
  return [metric.metric, formatFigure(unit, metric.base, brief), formatFigure(unit, metric.new, brief), formatDifference(unit, metric.difference), between, words]
}

/** @param {string} figure */
function withoutUnit (figure) {
  return figure.replace(/ \S+$/, '')
}

const HEAD = ['', 'Base', 'New', 'Difference', '95 % CI', 'Verdict']

/**
 * @param {Comparison} comparison
 * @returns {string} the verdict in one sentence
 */
function headline ({ metrics }) {
  const real = metrics.filter(({ verdict }) => verdict === 'better' || verdict === 'worse')
  const said = (/** @type {typeof metrics} */ list) => list.map(metric => `${metric.metric} ${formatDifference(metric.unit, metric.difference)}`).join(', ')
  const worse = real.filter(({ verdict }) => verdict === 'worse')
  const better = real.filter(({ verdict }) => verdict === 'better')
  if (worse.length > 0) return `Worse: ${said(worse)}${better.length > 0 ? `; better: ${said(better)}` : ''}.`
  if (better.length > 0) return `Better: ${said(better)}.`
  const { low, high } = metrics.find(({ metric }) => metric === 'p50') ?? metrics[0]
  if (low === null || high === null) return 'Whether there is a difference can\'t be told.'
  return `No difference found: p50 would have to differ by about ${((high - low) / 2 * 100).toPrecision(2)} % to be noticed.`
}

/**
 * @param {Comparison} comparison
 * @param {Screen} screen
 * @returns {string} ends with a line break
 */
function comparisonText (comparison, screen) {
  const { color } = screen
  const { runs, metrics, limits, notes } = comparison
  const rows = (/** @type {boolean} */ brief) => metrics.map(metric => {
    const [name, base, next, difference, between, verdict] = cells(metric, brief)
    const paint = metric.verdict === 'worse' ? color.red : metric.verdict === 'better' ? color.green : color.dim
    return [{ text: name, paint: color.bold }, base, next, difference, between, { text: verdict, paint }]
  })
  return [
    table(screen, HEAD, rows, { elastic: [5, 4, 0] }),
    headline(comparison),
    ...limits.map(limit => `${(limit.passed === null ? color.yellow : limit.passed ? color.green : color.red)(mark(limit))} ${limit.expression}: ${limit.reason}`),
    ...notes.map(note => color.yellow(`Note: ${note}`)),
    `${plural(runs.base, 'run')} against ${formatInteger(runs.new)}; the intervals hold for all figures at once.`
  ].join('\n') + '\n'
}

/**
 * @param {Comparison} comparison
 * @returns {string}
 */
function comparisonMarkdown (comparison) {
  const { runs, metrics, limits, notes } = comparison
  return `${limits.some(({ passed }) => passed === false) ? '❌ ' : ''}**${markdown.text(headline(comparison))}**\n\n` +
    comparisonTable(metrics) + '\n' +
    (limits.length === 0 ? '' : '\n' + markdown.table(['Limit', 'Verdict', '>'], limits.map(limit => [markdown.code(limit.expression), markdown.text(limit.reason), mark(limit)])) + '\n') +
    `\n<sub>${[`${plural(runs.base, 'run')} against ${formatInteger(runs.new)}; the intervals hold for all figures at once`, ...notes].map(markdown.text).join('<br>')}</sub>\n`
}

/**
 * @param {Comparison['metrics']} metrics
 * @returns {string} Markdown, without a line break at the end
 */
function comparisonTable (metrics) {
  return markdown.table(HEAD.map((name, i) => i === 0 ? name : '>' + name), metrics.map(metric => cells(metric).map(markdown.text)))
}

module.exports = { HEAD, cells, comparisonHeadline: headline, formatActual, formatFigure, thresholdText, thresholdMarkdown, comparisonText, comparisonMarkdown, comparisonTable }
