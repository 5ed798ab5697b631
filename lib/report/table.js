'use strict'

// Owns how a table is drawn in a terminal.

/** @typedef {ReturnType<typeof import('./colors').colorsFor>} Colors */

/**
 * @param {Colors} color
 * @param {string[]} head
 * @param {string[][]} rows
 * @returns {string} without a line break at the end
 */
function table (color, head, rows) {
  // Loaded by those who draw one.
  const Table = require('cli-table3')
  const made = new Table({ head: head.map(title => color.cyan(title)), style: { head: [], border: [] } })
  made.push(...rows)
  return made.toString()
}

module.exports = { table }
