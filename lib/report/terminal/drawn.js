'use strict'

// Draws a table of a report (report/authored) on a terminal.

const { formatLatency } = require('../../core/units')
const { Maxima } = require('../maxima')
const { table } = require('../table')

/** @typedef {import('../table').Screen} Screen */

/** Styles of cells by tone. @type {Record<string, 'bold' | 'red' | 'yellow'>} */
const PAINTS = { name: 'bold', strong: 'bold', bad: 'red', missed: 'yellow', state: 'yellow', lost: 'red' }

/** @param {import('../authored').Toned} cell @param {Screen} screen @returns {(text: string) => string} */
function paintOf ({ tone, passed, verdict }, { color }) {
  if (tone === 'mark') return passed === null ? color.yellow : passed ? color.green : color.red
  if (tone === 'change') return verdict === 'worse' ? color.red : verdict === 'better' ? color.green : color.dim
  return color[PAINTS[tone]] ?? String
}

/**
 * @param {Record<string, number>} distribution
 * @param {string} key
 * @param {Maxima} maxima
 * @param {(ms: number) => string} [format]
 * @returns {string} – for a value that was not measured
 */
function timeIn (distribution, key, maxima, format = formatLatency) {
  return distribution.totalCount === 0 || distribution[key] === undefined
    ? '–'
    : maxima.mark(format(distribution[key]), key, distribution)
}

/**
 * @param {import('../authored').Table} given
 * @param {Screen} screen
 * @returns {string} the table and the sentences below it, without a line break at the end
 */
function drawnTable ({ heads, rows, brief: briefRows = rows, rest = [], elastic, breakAt, isCompact }, screen) {
  const maxima = new Maxima()
  /** @param {import('../authored').Cell} cell */
  const shown = cell => {
    if (typeof cell === 'string') return cell
    if ('key' in cell) return timeIn(cell.of, cell.key, maxima)
    if ('counts' in cell) return cell.counts.map(({ count, reason }) => `${count} × ${reason}`).join(', ')
    return cell.text === '' ? '' : { text: cell.text, paint: paintOf(cell, screen) }
  }
  const laid = (/** @type {boolean} */ brief) => (brief ? briefRows : rows).map(row => row.map(shown))
  const drawn = rows.length === 0
    ? []
    : [table(screen, heads.map(head => head.replace('>', '')), laid, { elastic, breakAt, compact: isCompact })]
  return [...drawn, ...maxima.notes, ...rest].join('\n')
}

module.exports = { drawnTable, timeIn }
