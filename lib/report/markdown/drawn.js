'use strict'

// Draws a table of a report (report/authored) in Markdown.

const { latencyOf } = require('../figures')
const { md, code, joined, table } = require('./markup')

const BREAK = md`<br>`

/** @param {string} figure which may end with the mark of a maximum */
function starred (figure) {
  return figure.endsWith('*') ? md`${figure.slice(0, -1)}\\*` : figure
}

/** @param {import('../authored').Toned} cell @returns {unknown} */
function toned ({ text, tone, note, of }) {
  if (tone === 'missed') return md`⚠️ ${text}`
  if (tone === 'part') return code(of === undefined ? text : `${of}: ${text}`)
  return text !== '' && ['name', 'code'].includes(tone)
    ? md`${code(text)}${note !== undefined && md`<br>${note}`}`
    : text
}

/**
 * @param {import('../authored').Table} given
 * @param {import('../maxima').Maxima} [maxima] for a table with latencies
 * @returns {import('./markup').Markdown} without a line break at the end
 */
function drawnTable ({ heads, rows }, maxima) {
  /** @param {import('../authored').Cell} cell */
  const shown = cell => {
    if (typeof cell === 'string') return cell
    if ('key' in cell) {
      const marks = /** @type {import('../maxima').Maxima} */ (maxima)
      return starred(marks.mark(latencyOf(cell.of, cell.key), cell.key, cell.of))
    }
    return 'counts' in cell
      ? joined(cell.counts.map(({ count, reason }) => md`${count} × ${code(reason)}`), BREAK)
      : toned(cell)
  }
  return table(heads, rows.map(row => row.map(shown)))
}

module.exports = { BREAK, drawnTable, starred }
