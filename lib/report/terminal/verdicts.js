'use strict'

// Thresholds and comparisons as text for a terminal. Its input is printable (core/foreign-text.js).

const { wrapped } = require('../prose')
const { drawnTable } = require('./drawn')
const { comparisonTable, thresholdTable } = require('../verdict-tables')
const { basisOf, comparisonHeadline, mark, notesIn, reasonIn, remarks } = require('../verdicts')

/** @typedef {import('../table').Screen} Screen */

/**
 * @param {Record<string, any>} result with at least one threshold
 * @param {Screen} screen
 * @param {Parameters<typeof remarks>[1]} [verdict]
 * @returns {string} ends with a line break
 */
function thresholdText (result, screen, verdict) {
  const table = drawnTable(thresholdTable(result, 'text'), screen)
  return `${[table, ...remarks(result, verdict).map(screen.color.yellow)].join('\n')}\n`
}

/**
 * @param {import('../../../index').Comparison} comparison
 * @param {Screen} screen
 * @param {string[]} [shown] codes of findings that are shown elsewhere
 * @returns {string} ends with a line break
 */
function comparisonText (comparison, screen, shown) {
  const { color } = screen
  /** @param {boolean | null} passed */
  const paintOf = passed => passed === null ? color.yellow : passed ? color.green : color.red
  return wrapped([
    drawnTable(comparisonTable(comparison, 'text'), screen),
    comparisonHeadline(comparison),
    ...comparison.limits.map(limit =>
      `${paintOf(limit.passed)(mark(limit))} ${limit.expression}: ${reasonIn(comparison, limit)}`),
    ...notesIn(comparison, shown).map(note => color.yellow(`Note: ${note}`)),
    basisOf(comparison) + '.'
  ].join('\n') + '\n', screen)
}

module.exports = { comparisonText, thresholdText }
