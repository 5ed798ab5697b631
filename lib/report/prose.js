'use strict'

// Wraps sentences on a terminal. In a pipe, a sentence stays on one line, for grep and other programs.

const { columnsOf, widthOf } = require('./table')

/** The start of a line of a table. */
const TABLE = /^[┌│├└]/

/** Escape sequences of colours, which have no width. */
const COLOR = /\x1b\[[\d;]*m/g // eslint-disable-line no-control-regex

/**
 * @param {string} text lines, some of them of tables
 * @param {{ columns: number, wraps?: boolean }} screen
 * @returns {string} the same in lines that fit. A word that is longer than a line is not broken, so that it can be
 *   copied
 */
function wrapped (text, { columns, wraps = false }) {
  if (!wraps) return text
  return text.split('\n').map(line => TABLE.test(line.replace(COLOR, '')) ? line : broken(line, columns)).join('\n')
}

/** @param {string} line @param {number} columns */
function broken (line, columns) {
  const width = (/** @type {string} */ text) => widthOf(text.replace(COLOR, ''))
  if (width(line) <= columns) return line
  const [indent] = /** @type {RegExpExecArray} */ (/^ */.exec(line))
  const [first, ...words] = line.slice(indent.length).split(' ')
  const lines = [indent + first]
  let used = width(lines[0])
  for (const word of words) {
    const size = width(word)
    if (used + 1 + size <= columns) {
      lines[lines.length - 1] += ' ' + word
      used += 1 + size
    } else {
      lines.push(indent + word)
      used = indent.length + size
    }
  }
  return lines.join('\n')
}

/**
 * @param {NodeJS.WritableStream & { columns?: number, isTTY?: boolean }} stream
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {import('./table').Screen}
 */
function screenOf (stream, env) {
  const { colorsFor } = require('./colors')
  return { color: colorsFor(stream, env), columns: columnsOf(stream), wraps: stream.isTTY === true }
}

/**
 * @param {NodeJS.WritableStream & { columns?: number, isTTY?: boolean }} stream
 * @param {string} text
 * @returns {string} the same in lines that fit the stream, if it is a terminal
 */
const wrappedFor = (stream, text) => stream.isTTY ? wrapped(text, screenOf(stream)) : text

module.exports = { screenOf, wrapped, wrappedFor }
