'use strict'

// Owns how tables are drawn: in a terminal, and in Markdown.

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

/**
 * @param {string[]} head
 * @param {string[][]} rows
 * @returns {string} ends with a line break
 */
function markdownTable (head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.map(escapeMarkdown).join(' | ')} |\n`
  return line(head) + `|${head.map((_, i) => i === 0 ? '---' : '---:').join('|')}|\n` + rows.map(line).join('')
}

/**
 * @param {string} text which a user may have given
 * @returns {string} one line of text, whatever is in it
 */
function escapeMarkdown (text) {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]|~#]/g, '\\$&').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

module.exports = { table, markdownTable, escapeMarkdown }
