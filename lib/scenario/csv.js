'use strict'

// Owns how rows are read from CSV (RFC 4180), whose first line has the names of the columns. What is in quotation marks may have line breaks in
// it; lines end with CRLF or LF. csv-parse reads it, a block of whole lines at a time: a million records at once would take ten times the memory of the file.

const { isUtf8 } = require('node:buffer')
const { parse } = require('csv-parse/sync')
const { show } = require('../foreign-text')
const { RowsWriter } = require('./rows')

/** How many bytes are read at once, at the least. */
const BLOCK = 256 * 1024

const OPTIONS = Object.freeze({ record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true, relax_column_count: true })

const QUOTE = 34
const LINE_FEED = 10

/**
 * @param {Buffer} bytes of a file
 * @returns {RowsWriter}
 * @throws {TypeError} that names the line
 */
function readCsv (bytes) {
  if (!isUtf8(bytes)) throw new TypeError('it is not UTF-8: save it as that')
  /** @type {RowsWriter | null} */
  let writer = null
  for (const { block, line } of blocksOf(bytes)) {
    const records = recordsOf(block, line)
    let at = 0
    const place = () => `line ${lineOf(block, line, at)}`
    for (; at < records.length; at++) {
      const record = records[at]
      // A length and a value take as much as a value and its comma.
      if (writer === null) writer = new RowsWriter(columnsOf(record, place), false, bytes.length + (bytes.length >> 6))
      else if (record.length === writer.columns?.length) writer.texts(record, place)
      else throw new TypeError(`${place()}: expected ${writer.columns?.length} values, as the first line has names, got ${record.length}`)
    }
  }
  if (writer === null) throw new TypeError('it is empty: expected a line with the names of the columns, and rows below it')
  return writer
}

/**
 * A block ends with a line, and not inside of quotation marks: there is an even number of them before.
 * @param {Buffer} bytes
 * @returns {Generator<{ block: Buffer, line: number }>} with the number of its first line
 */
function * blocksOf (bytes) {
  // A byte order mark.
  let start = bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xefbbbf ? 3 : 0
  let line = 1
  while (start < bytes.length) {
    let end = start
    let quotes = 0
    do {
      const next = bytes.indexOf(LINE_FEED, end === start ? start + BLOCK : end) + 1
      const until = next === 0 ? bytes.length : next
      quotes += count(bytes.subarray(end, until), QUOTE)
      end = until
    } while (quotes % 2 === 1 && end < bytes.length)
    const block = bytes.subarray(start, end)
    yield { block, line }
    line += count(block, LINE_FEED)
    start = end
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} byte
 * @returns {number} how often it is in there
 */
function count (bytes, byte) {
  let found = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) found++
  return found
}

/**
 * @param {Buffer} block
 * @param {number} line of its beginning
 * @returns {string[][]}
 * @throws {TypeError}
 */
function recordsOf (block, line) {
  try {
    return parse(block, OPTIONS)
  } catch (error) {
    const { code, lines } = /** @type {Error & { code?: string, lines?: number }} */ (error)
    const reason = REASONS[code ?? ''] ?? /** @type {Error} */ (error).message
    throw new TypeError(lines === undefined ? reason : `line ${line + lines - 1}: ${reason}`)
  }
}

/** @type {Readonly<Record<string, string>>} */
const REASONS = Object.freeze({
  CSV_QUOTE_NOT_CLOSED: 'the quotation mark that a value begins with here has no end',
  INVALID_OPENING_QUOTE: 'a quotation mark stands inside of a value that begins without one: write "a ""quoted"" word"',
  CSV_INVALID_CLOSING_QUOTE: 'something stands behind the closing quotation mark of a value: write "a ""quoted"" word"'
})

/**
 * @param {Buffer} block
 * @param {number} line of its beginning
 * @param {number} record which of its records
 * @returns {number} the line in which that ends
 */
function lineOf (block, line, record) {
  const { info } = /** @type {Array<{ info: { lines: number } }>} */ (/** @type {unknown} */ (parse(block, { ...OPTIONS, info: true })))[record]
  return line + info.lines - 1
}

/**
 * @param {string[]} record the first one
 * @param {() => string} place
 * @returns {string[]}
 */
function columnsOf (record, place) {
  const names = record.map(name => name.trim())
  for (const [i, name] of names.entries()) {
    if (name === '') throw new TypeError(`${place()}: expected a name for each column, got none for column ${i + 1}`)
    if (names.indexOf(name) < i) throw new TypeError(`${place()}: two columns have the name ${show(name)}`)
  }
  return names
}

module.exports = { readCsv }
