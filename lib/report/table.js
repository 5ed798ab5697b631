'use strict'

// Draws a table that fits the width of the terminal.

const { sumOf } = require('../core/statistics')

/**
 * @typedef {ReturnType<typeof import('./colors').colorsFor>} Colors
 *
 * @typedef {object} Screen of a table
 * @property {Colors} color
 * @property {number} columns characters of a line
 * @property {boolean} [wraps] whether sentences are wrapped
 *
 * @typedef {string | { text: string, paint: (text: string) => string }} Cell
 *
 * @typedef {object} Form
 * @property {number[]} [elastic] columns whose text may be wrapped, the first one first
 * @property {number} [breakAt] the column with which a second table begins if one would be too wide
 * @property {boolean} [compact] without lines between rows
 */

/** The width for a stream without one: a pipe, a file, the log of a CI job. */
const COLUMNS = 80

/** The least width of an elastic column. */
const NARROWEST = 13

/**
 * @param {NodeJS.WritableStream & { columns?: number }} stream
 * @returns {number} how wide a table in it may be
 */
function columnsOf ({ columns }) {
  return columns || COLUMNS
}

/**
 * Draws a table that fits. It tries in this order: full figures, with less padding on the right; brief figures; wrapped
 * text in the elastic columns; several tables below each other, which repeat the first column. Nothing is omitted.
 * @param {Screen} screen
 * @param {string[]} head
 * @param {(brief: boolean) => Cell[][]} rowsOf the rows; `brief`: with fewer digits or shorter units
 * @param {Form} [form]
 * @returns {string} without a line break at the end
 */
function table (screen, head, rowsOf, { elastic = [], breakAt = head.length, compact = false } = {}) {
  const [full, brief] = [measured(head, rowsOf(false)), measured(head, rowsOf(true))]
  const others = head.map((_, i) => i).slice(1)
  const groups = fits([0, ...others]) !== null
    ? [others]
    : [others.filter(i => i < breakAt), others.filter(i => i >= breakAt)].filter(({ length }) => length > 0)
  return groups.flatMap(broken).map(part =>
    draw(screen.color, fits([0, ...part]) ?? layout(brief, [0, ...part], screen.columns), compact)).join('\n')

  /** @param {number[]} part columns */
  function fits (part) {
    for (const figures of [full, brief]) {
      const made = layout(figures, part, screen.columns)
      if (made.width <= screen.columns) return made
    }
    const made = layout(brief, part, screen.columns)
    for (const i of elastic.map(column => part.indexOf(column)).filter(i => i !== -1)) {
      const less = Math.min(made.width - screen.columns, Math.max(0, made.widths[i] - NARROWEST))
      made.widths[i] -= less
      made.width -= less
      if (made.width <= screen.columns) return made
    }
    return null
  }

  /**
   * @param {number[]} group columns
   * @returns {number[][]} the fewest parts that fit, of about equal length
   */
  function broken (group) {
    for (let n = 1; ; n++) {
      const size = Math.ceil(group.length / n)
      const parts = Array.from({ length: Math.ceil(group.length / size) }, (_, i) =>
        group.slice(i * size, (i + 1) * size))
      if (size === 1 || parts.every(part => fits([0, ...part]) !== null)) return parts
    }
  }
}

/**
 * @typedef {object} Measured
 * @property {Cell[][]} rows the head first
 * @property {number[]} widths of the columns
 *
 * @param {string[]} head
 * @param {Cell[][]} rows
 * @returns {Measured}
 */
function measured (head, rows) {
  return {
    rows: [head, ...rows],
    widths: head.map((title, i) => Math.max(title.length, ...rows.map(row => widthOf(textOf(row[i])))))
  }
}

/**
 * @typedef {object} Layout
 * @property {Cell[][]} rows the head first
 * @property {number[]} widths of the columns, without padding
 * @property {number} squeezed the number of last columns without padding on the right
 * @property {number} width of the whole table
 */

/**
 * @param {Measured} all
 * @param {number[]} part the columns to show
 * @param {number} columns of the terminal
 * @returns {Layout} no wider than that, if less padding suffices
 */
function layout (all, part, columns) {
  const widths = part.map(i => all.widths[i])
  const roomy = 1 + sumOf(widths, width => width + 3)
  const squeezed = Math.min(Math.max(0, roomy - columns), part.length)
  return { rows: all.rows.map(row => part.map(i => row[i])), widths, squeezed, width: roomy - squeezed }
}

/** @param {Colors} color @param {Layout} layout @param {boolean} compact */
function draw (color, { rows: [head, ...rows], widths, squeezed }, compact) {
  /** @param {Cell} cell @param {number} i @param {(text: string) => string} paint */
  const drawn = (cell, i, paint) => ({
    content: wrap(textOf(cell), widths[i]).map(paint).join('\n'),
    style: { 'padding-right': i < widths.length - squeezed ? 1 : 0 }
  })
  const Table = tableLibrary()
  // The types of cli-table3 allow text only.
  const titles = /** @type {any[]} */ (head.map((title, i) => drawn(title, i, color.cyan)))
  const made = new Table({ head: titles, style: { head: [], border: [] } })
  /** @type {(cell: Cell) => (text: string) => string} */
  const paintOf = cell => typeof cell === 'string' ? text => text : cell.paint
  made.push(...rows.map(row => row.map((cell, i) => drawn(cell, i, paintOf(cell)))))
  const drawnTable = made.toString()
  if (!compact) return drawnTable
  // The library draws lines between all rows, or none.
  const isLine = (/** @type {string} */ line) => line.startsWith('├')
  return drawnTable.split('\n').filter((line, i, lines) => !isLine(line) || lines.findIndex(isLine) === i).join('\n')
}

/** Lazy, for the start-up time. */
function tableLibrary () {
  return require('cli-table3')
}

/** @param {Cell} cell */
function textOf (cell) {
  return typeof cell === 'string' ? cell : cell.text
}

/**
 * @param {string} text
 * @returns {number} its width on a terminal: 2 for a Chinese character, 0 for an accent
 */
function widthOf (text) {
  if (/^[\x20-\x7eµ·×–…−✓✗±▁-▓]*$/.test(text)) return text.length
  const Table = tableLibrary()
  const made = new Table({ style: { border: [], 'padding-left': 0, 'padding-right': 0 } })
  made.push([text])
  return made.width - 2
}

/**
 * @param {string} text
 * @param {number} width
 * @returns {string[]} lines of at most that width; longer words are broken
 */
function wrap (text, width) {
  if (widthOf(text) <= width) return [text]
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1]
    if (last !== '' && widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] += ' ' + word
    else if (last === '' && lines.length === 1) lines[0] = word
    else lines.push(word)
    while (widthOf(lines[lines.length - 1]) > width) {
      const characters = Array.from(lines[lines.length - 1])
      let n = Math.min(characters.length - 1, width)
      while (n > 1 && widthOf(characters.slice(0, n).join('')) > width) n--
      lines.splice(-1, 1, characters.slice(0, n).join(''), characters.slice(n).join(''))
    }
  }
  return lines
}

module.exports = { columnsOf, table, widthOf }
