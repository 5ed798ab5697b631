'use strict'

// Reads rows from CSV (RFC 4180), with column names in the first line and any separator. Quoted values may contain line
// breaks; lines end with CRLF or LF. csv-parse receives some lines at a time: a million records at once take ten times
// the memory of the file. Lines without quotes are split without the parser.

const { isUtf8 } = require('node:buffer')
const { parse } = require('csv-parse/sync')
const { show } = require('../core/foreign-text')
const { readLines } = require('../requests/file')
const { RowsWriter } = require('./rows')

const OPTIONS = Object.freeze({
  record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true, relax_column_count: true
})

const QUOTE = 34
const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/** The usual separators of values. */
const SEPARATORS = [',', ';', '\t', '|']

/**
 * @param {string} path
 * @param {string} separator one ASCII character
 * @param {boolean} isGiven whether the user has set it
 * @returns {RowsWriter}
 * @throws {TypeError} with the line of the mistake
 */
function readCsv (path, separator, isGiven) {
  const options = { ...OPTIONS, delimiter: separator }
  const byte = separator.charCodeAt(0)
  const { size, parts } = readLines(path)
  /** @type {RowsWriter | null} */
  let writer = null
  for (const { block, line } of blocksOf(parts)) {
    if (!isUtf8(block)) throw new TypeError('it is not UTF-8: save it as that')
    if (writer !== null && isPlain(block)) {
      copyRows(block, line, writer, byte)
      continue
    }
    const records = recordsOf(block, line, options)
    let at = 0
    const place = () => `line ${lineOf(block, line, at, options)}`
    for (; at < records.length; at++) {
      const record = records[at]
      // In packed form, a value with its length is as long as a value with its comma.
      if (writer === null) {
        const columns = columnsOf(record, place)
        if (!isGiven) checkSeparator(columns, separator)
        writer = new RowsWriter(columns, false, size + (size >> 6))
      } else if (record.length === writer.width) writer.texts(record, place)
      else throw ragged(place(), writer.width, record.length)
    }
  }
  if (writer === null) {
    throw new TypeError('it is empty: expected a line with the names of the columns, and rows below it')
  }
  return writer
}

/**
 * Groups parts into blocks with an even number of quotation marks: no block ends inside of a quoted value.
 * @param {Iterable<Buffer>} parts of a file; each ends at the end of a line
 * @returns {Generator<{ block: Buffer, line: number }>} with the number of its first line
 */
function * blocksOf (parts) {
  let line = 1
  /** @type {Buffer[]} */
  let open = []
  let quotes = 0
  for (const part of parts) {
    open.push(part)
    quotes += count(part, QUOTE)
    if (quotes % 2 === 1) continue
    const block = open.length === 1 ? part : Buffer.concat(open)
    yield { block, line }
    line += count(block, LINE_FEED)
    open = []
  }
  if (open.length > 0) yield { block: Buffer.concat(open), line }
}

/**
 * @param {Buffer} block
 * @returns {boolean} whether its lines can be split at each separator: they have no quotation marks
 */
function isPlain (block) {
  if (block.includes(QUOTE) || block.includes(0)) return false
  for (let at = block.indexOf(CARRIAGE_RETURN); at !== -1; at = block.indexOf(CARRIAGE_RETURN, at + 1)) {
    if (block[at + 1] !== LINE_FEED) return false
  }
  return true
}

/**
 * @param {Buffer} block a plain block
 * @param {number} line of its beginning
 * @param {RowsWriter} writer
 * @param {number} separator
 */
function copyRows (block, line, writer, separator) {
  const { width } = writer
  for (let start = 0; start < block.length; line++) {
    const next = block.indexOf(LINE_FEED, start)
    const end = next === -1 ? block.length : next > start && block[next - 1] === CARRIAGE_RETURN ? next - 1 : next
    const following = next === -1 ? end : next + 1
    if (end > start) {
      writer.entry()
      let values = 1
      let from = start
      for (let at = start; at < end; at++) {
        if (block[at] !== separator) continue
        writer.copy(block, from, at)
        values++
        from = at + 1
      }
      writer.copy(block, from, end)
      if (values !== width) throw ragged(`line ${line}`, width, values)
    }
    start = following
  }
}

/** @type {(place: string, expected: number, got: number) => TypeError} */
function ragged (place, expected, got) {
  return new TypeError(
    `${place}: expected ${expected} value${expected === 1 ? '' : 's'}, as the first line has names, got ${got}`
  )
}

/** Returns the number of occurrences. @type {(bytes: Buffer, byte: number) => number} */
function count (bytes, byte) {
  let found = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) found++
  return found
}

/**
 * @param {Buffer} block
 * @param {number} line of its beginning
 * @param {object} options of the parser
 * @returns {string[][]}
 * @throws {TypeError}
 */
function recordsOf (block, line, options) {
  try {
    return /** @type {any} */ (parse(block, options))
  } catch (error) {
    const { code, bytes } = /** @type {Error & { code?: string, bytes?: number }} */ (error)
    const reason = REASONS[code ?? ''] ?? /** @type {Error} */ (error).message
    throw new TypeError(
      bytes === undefined ? reason : `line ${line + count(block.subarray(0, bytes), LINE_FEED)}: ${reason}`
    )
  }
}

/** @type {Readonly<Record<string, string>>} */
const REASONS = Object.freeze({
  CSV_QUOTE_NOT_CLOSED: 'the quotation mark that a value begins with here has no end',
  INVALID_OPENING_QUOTE: 'a quotation mark stands inside of a value that begins without one: write "a ""quoted"" word"',
  CSV_INVALID_CLOSING_QUOTE: 'text after the closing quotation mark of a value: write "a ""quoted"" word"'
})

/**
 * @param {Buffer} block
 * @param {number} line of its beginning
 * @param {number} record index of the record
 * @param {object} options of the parser
 * @returns {number} the line in which the record ends
 */
function lineOf (block, line, record, options) {
  // csv-parse counts a CRLF inside of quotation marks as two lines, so the line is computed from the bytes.
  const records = /** @type {unknown} */ (parse(block, { ...options, info: true }))
  const { info: { bytes } } = /** @type {Array<{ info: { bytes: number } }>} */ (records)[record]
  return line + count(block.subarray(0, bytes - 1), LINE_FEED)
}

/** @param {string[]} record the first one @param {() => string} place */
function columnsOf (record, place) {
  for (const [i, name] of record.entries()) {
    if (name.trim() === '') {
      throw new TypeError(`${place()}: expected a name for each column, got none for column ${i + 1}`)
    }
    // The values below would have such spaces, too, and be sent with them.
    if (name.trim() !== name) {
      throw new TypeError(`${place()}: the name ${show(name)} begins or ends with a space, ` +
      'and spaces around a separator belong to the values (RFC 4180): omit them, in the rows as well')
    }
    if (record.indexOf(name) < i) throw new TypeError(`${place()}: two columns have the name ${show(name)}`)
  }
  return record
}

/**
 * @param {string[]} columns
 * @param {string} separator
 * @throws {TypeError} when the only column looks like several
 */
function checkSeparator (columns, separator) {
  if (columns.length > 1) return
  const other = SEPARATORS.find(one => one !== separator && columns[0].includes(one))
  if (other === undefined) return
  throw new TypeError(`the first line has one column ${show(columns[0])}: is the separator ${show(other)}? ` +
    `Then give separator: ${show(other)}, or ${show(separator)} if that is one name`)
}

module.exports = { readCsv }
