'use strict'

// The tables of thresholds, checks and comparisons, as data (report/authored).

const { countedIn } = require('../core/counted')
const { formatInteger, formatPercent } = require('../core/units')
const { failedFirst, laidOut, markCell } = require('./authored')
const { cells, formatActual, heads } = require('./verdicts')

/** @typedef {import('./authored').Form} Form */
/** @typedef {import('./authored').Table} Table */

/**
 * @param {Record<string, any>} result with at least one threshold
 * @param {Form} form
 * @param {unknown[]} [explained] thresholds whose notes are in the verdict of the report
 * @returns {Table}
 */
function thresholdTable (result, form, explained = []) {
  const { thresholds } = result
  const counted = countedIn(result)
  const noteOf = (/** @type {any} */ one) => explained.includes(one) ? undefined : one.note
  const columns = laidOut([
    ['', ({ passed }) => markCell(passed)],
    ['Threshold', one => ({ text: one.expression, tone: 'code', note: noteOf(one) })],
    ['>Actual', one => formatActual(one, counted)]
  ], form === 'html' ? failedFirst(thresholds, ({ passed }) => passed) : thresholds)
  return { id: 'thresholds', title: 'Thresholds', ...columns, isNarrow: true, elastic: [1], isCompact: true }
}

/** @param {{ passed: number, failed: number }} check */
const verdictOf = ({ passed, failed }) => passed + failed === 0 ? null : failed === 0

/** @param {Record<string, any>} check */
const reasonsOf = ({ reasons }) =>
  Object.entries(reasons).map(([reason, count]) => ({ count: formatInteger(Number(count)), reason }))

/** @param {any[]} checks @param {Form} form @returns {Table} */
function checkTable (checks, form) {
  const isHtml = form === 'html'
  const columns = laidOut([
    ['', check => markCell(verdictOf(check), verdictOf(check) === null ? '–' : undefined)],
    ['Check', ({ name, request }) => ({ text: name, tone: 'part', of: request })],
    ['>Passed', ({ passed }) => formatInteger(passed)],
    ['>Failed', ({ failed }) => formatInteger(failed)],
    isHtml &&
      ['>Share', ({ passed, failed }) => passed + failed === 0 ? '–' : formatPercent(passed / (passed + failed))],
    !isHtml && ['Why', check => ({ counts: reasonsOf(check) })]
  ], isHtml ? failedFirst(checks, verdictOf) : checks)
  return { id: 'checks', title: 'Checks', ...columns, isNarrow: true }
}

/** @param {import('../../index').Comparison} comparison @param {Form} form @returns {Table} */
function comparisonTable (comparison, form) {
  /** @param {boolean} [brief] @returns {import('./authored').Cell[][]} */
  const rows = brief => comparison.metrics.map(metric => {
    const [name, ...figures] = cells(metric, brief)
    const text = String(figures.pop())
    return [{ text: name, tone: 'strong' }, ...figures, { text, tone: 'change', verdict: metric.verdict }]
  })
  const last = form === 'html' ? [-1, 0] : [0]
  const named = heads(comparison).map((name, i, all) =>
    last.includes(i) || last.includes(i - all.length) ? name : `>${name}`)
  return { id: 'comparison', title: 'Comparison', heads: named, rows: rows(), brief: rows(true), elastic: [5, 4, 0] }
}

module.exports = { checkTable, comparisonTable, thresholdTable }
