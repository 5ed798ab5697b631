'use strict'

// Tables in Markdown, and the blocks of documents that benches write.

const fs = require('node:fs')
const path = require('node:path')

const ROOT = path.join(__dirname, '..')

const line = cells => `| ${cells.join(' | ')} |`

/**
 * @param {string[]} head
 * @param {Array<Array<string | number>>} rows
 * @param {number[]} [numbers] columns that are aligned to the right
 */
function table (head, rows, numbers = []) {
  return [line(head), `|${head.map((_, i) => numbers.includes(i) ? '--:' : '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** @returns {string} a table that can be read in a terminal */
function padded (head, rows) {
  const widths = head.map((column, i) => Math.max(column.length, ...rows.map(cells => cells[i].length), 1))
  return [head, ...rows].map(cells => line(cells.map((cell, i) => cell.padEnd(widths[i])))).toSpliced(1, 0, `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`).join('\n')
}

/**
 * @param {string} document with blocks `<!-- bench:NAME -->…<!-- /bench -->`
 * @param {string} name
 * @param {string} text of the block from now on
 */
function withBlock (document, name, text) {
  return document.replace(new RegExp(`(<!-- bench:${name} -->)([^]*?)(<!-- /bench -->)`, 'g'), (_, open, old, close) => {
    const end = text.includes('\n') || old.includes('\n') ? '\n' : ''
    return `${open}${end}${text}${end}${close}`
  })
}

/**
 * @param {string} file below the root of the package
 * @param {(text: string) => string} change
 */
function rewrite (file, change) {
  const place = path.join(ROOT, file)
  const text = fs.readFileSync(place, 'utf8')
  const changed = change(text)
  if (changed !== text) fs.writeFileSync(place, changed)
}

/** @returns {string[]} the documents that may quote figures */
function documents () {
  return ['.', 'docs', 'bench'].flatMap(folder => fs.readdirSync(path.join(ROOT, folder)).filter(name => name.endsWith('.md')).map(name => path.posix.join(folder, name)))
}

module.exports = { documents, padded, rewrite, table, withBlock }
