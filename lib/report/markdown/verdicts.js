'use strict'

// Thresholds and comparisons in Markdown.

const { countedIn } = require('../../core/counted')
const { formatInteger, plural } = require('../../core/units')
const {
  basisOf, comparisonHeadline, formatActual, isInconclusive, mark, notesIn, reasonIn, remarks
} = require('../verdicts')
const { comparisonTable } = require('../verdict-tables')
const { BREAK, drawnTable } = require('./drawn')
const { md, code, joined, table } = require('./markup')

/** @typedef {import('../../../index').Comparison} Comparison */

/**
 * @param {Record<string, any>} result printable, with at least one threshold
 * @returns {import('./markup').Markdown} ends with a line break
 */
function thresholdMarkdown (result) {
  const [failed, passed] = [false, true].map(verdict =>
    result.thresholds.filter((/** @type {any} */ threshold) => threshold.passed === verdict).length)
  const all = result.thresholds.length
  // Inconclusive ones are listed below the table.
  const head = failed > 0
    ? md`❌ ${plural(failed, 'threshold')} of ${formatInteger(all)} failed.\n\n`
    : passed === all ? md`✅ All thresholds passed.\n\n` : ''
  const rows = result.thresholds.map((/** @type {any} */ threshold) =>
    [code(threshold.expression), formatActual(threshold, countedIn(result)), mark(threshold)])
  return md`${head}${table(['Threshold', '>Actual', '>'], rows)}\n${remarks(result).map(line => md`\n${line}\n`)}`
}

/**
 * @param {Comparison} comparison printable
 * @returns {import('./markup').Markdown} ends with a line break
 */
function comparisonMarkdown (comparison) {
  const { limits, metrics } = comparison
  const notes = notesIn(comparison)
  const sign = limits.some(({ passed }) => passed === false)
    ? md`❌ `
    : limits.some(({ passed }) => passed === null) || isInconclusive(comparison) ? md`⚠️ ` : ''
  const rows = limits.map(limit => [code(limit.expression), reasonIn(comparison, limit), mark(limit)])
  const small = metrics.length === 0 ? notes : [basisOf(comparison), ...notes]
  return joined([
    md`${sign}**${comparisonHeadline(comparison)}**\n`,
    ...metrics.length === 0 ? [] : [md`${drawnTable(comparisonTable(comparison, 'md'))}\n`],
    ...rows.length === 0 ? [] : [md`${table(['Limit', 'Verdict', '>'], rows)}\n`],
    ...small.length === 0 ? [] : [md`<sub>${joined(small, BREAK)}</sub>\n`]
  ], md`\n`)
}

module.exports = { thresholdMarkdown, comparisonMarkdown }
