'use strict'

// The formats of data rows: CSV, TSV, a JSON array, JSON lines, or an array in options.

const { isRecord, show } = require('../core/foreign-text')
const { readFile, readLines } = require('../requests/file')
const { parseJson } = require('../requests/json')
const { stringify, textOf, withTexts } = require('../requests/json-numbers')
const { RowsWriter } = require('./rows')

/**
 * @typedef {object} Data
 * @property {import('./rows').RowsData} rows
 * @property {ReadonlyMap<number, string>} breaks of each column the place of the first value that has a line break or a
 *   NUL in it
 */

/** By the extension of their files, which sets the separator. @type {Readonly<Record<string, string>>} */
const SEPARATORS = Object.freeze({ csv: ',', tsv: '\t' })

/** @type {Readonly<Record<string, (path: string, separator?: string) => RowsWriter>>} */
const READERS = Object.freeze({
  csv: readTable,
  tsv: readTable,
  json: readJson,
  ndjson: readJsonLines,
  jsonl: readJsonLines
})

/** @param {string} path */
const kindOf = path => /\.([a-z]+)$/i.exec(path)?.[1].toLowerCase() ?? ''

/** Returns whether its name is that of a data file. @type {(path: unknown) => boolean} */
function isDataFile (path) {
  return typeof path === 'string' && Object.hasOwn(READERS, kindOf(path))
}

/** @param {string} path with the name of a data file */
function hasSeparator (path) {
  return Object.hasOwn(SEPARATORS, kindOf(path))
}

/** @type {(path: string, separator?: string) => RowsWriter} */
function readTable (path, separator) {
  return require('./csv').readCsv(path, separator ?? SEPARATORS[kindOf(path)], separator !== undefined)
}

/**
 * @throws {TypeError} that names the file, and the line
 * @type {(path: string, separator?: string) => Data}
 */
function readDataFile (path, separator) {
  try {
    return dataOf(READERS[kindOf(path)](path, separator))
  } catch (error) {
    // An unreadable file has been named.
    if (error instanceof TypeError && !('path' in error)) {
      error.message = `the file '${path}': ${error.message}`
    }
    throw error
  }
}

/**
 * @param {unknown[]} list that a user gives
 * @returns {Data}
 * @throws {TypeError}
 */
function dataOfRows (list) {
  const collector = new Collector(1024)
  for (const i of list.keys()) collector.add(list, i, () => `row ${i + 1}`)
  return dataOf(collector.end())
}

/** @param {RowsWriter} writer */
function dataOf (writer) {
  if (writer.count === 0) throw new TypeError('it has no rows')
  return { rows: writer.end(), breaks: writer.breaks }
}

/** Rows that are values of JSON. The first one sets the columns. */
class Collector {
  /** @param {number} size bytes, roughly */
  constructor (size) {
    this.size = size
    /** @type {RowsWriter | null} */
    this.writer = null
  }

  /**
   * @param {ReadonlyArray<any>} rows
   * @param {number} index of the row
   * @param {() => string} place
   * @throws {TypeError}
   */
  add (rows, index, place) {
    const row = rows[index]
    const isObject = isRecord(row)
    this.writer ??= new RowsWriter(isObject ? columnsOf(row, place) : null, true, this.size)
    const { columns } = this.writer
    if (isObject !== (columns !== null)) {
      throw new TypeError(`${place()}: expected ${columns === null ? 'a single value' : 'an object'}, as the first ` +
        `row is one, got ${show(row)}`)
    }
    this.writer.entry()
    if (columns === null) return writeValue(this.writer, rows, String(index), 0, place)
    for (let i = 0; i < columns.length; i++) {
      if (!Object.hasOwn(row, columns[i])) {
        throw new TypeError(`${place()}: it has no ${show(columns[i])}, which the first row has`)
      }
      writeValue(this.writer, row, columns[i], i, place)
    }
  }

  end () {
    if (this.writer === null) throw new TypeError('it has no rows')
    return this.writer
  }
}

/** @param {Record<string, unknown>} row the first one @param {() => string} place */
function columnsOf (row, place) {
  const names = Object.keys(row)
  if (names.length === 0) {
    throw new TypeError(`${place()}: expected an object with names and values, got one without any`)
  }
  return names
}

/**
 * @param {RowsWriter} writer
 * @param {any} holder an object or array that has the value
 * @param {string} key
 * @param {number} column
 * @param {() => string} place
 */
function writeValue (writer, holder, key, column, place) {
  const value = holder[key]
  if (typeof value === 'string') writer.text(value, column, place)
  else writer.json(jsonOf(holder, key, value) ?? refuse(value, place))
}

/**
 * @param {any} holder
 * @param {string} key
 * @param {unknown} value that it has there
 * @returns {string | undefined} its JSON, in which numbers have their text in the file; undefined for values that JSON
 *   lacks
 */
function jsonOf (holder, key, value) {
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'number' || typeof value === 'bigint') {
    const text = textOf(holder, key, value)
    return text === 'NaN' || text.endsWith('Infinity') ? undefined : text
  }
  if (!Array.isArray(value) && !isRecord(value)) return undefined
  try {
    return stringify(value)
  } catch {
    return undefined
  }
}

/** @type {(value: unknown, place: () => string) => never} */
function refuse (value, place) {
  throw new TypeError(`${place()}: expected what JSON can have, got ${show(value)}`)
}

/** How many bytes of JSON become objects at once. */
const BLOCK = 64 * 1024

/**
 * An array of a million objects would take ten times the memory of its text: it is read in parts.
 * @type {(path: string) => RowsWriter}
 */
function readJson (path) {
  const bytes = readFile(path)
  const collector = new Collector(bytes.length)
  let entry = 0
  const place = () => `entry ${entry}`
  for (const part of partsOfArray(bytes)) {
    let rows
    try {
      const json = `[${part}]`
      rows = withTexts(json, JSON.parse(json))
    } catch {
      // The whole text has the position of the mistake, which may be outside of this part.
      const whole = parseJson(bytes.toString(), 'it')
      throw new TypeError(`expected an array of rows, got ${show(whole)}`)
    }
    for (const i of rows.keys()) {
      entry++
      collector.add(rows, i, place)
    }
  }
  return collector.end()
}

/** @param {Buffer} bytes @returns {Generator<string>} some of its entries at a time, with the commas between them */
function * partsOfArray (bytes) {
  let start = bytes.indexOf(91)
  // A text without an array has its own error.
  if (start === -1 || !/^\ufeff?\s*$/.test(bytes.toString('utf8', 0, start))) return yield 'no array'
  start++
  let depth = 1
  let at = start
  for (; at < bytes.length && depth > 0; at++) {
    const byte = bytes[at]
    if (byte === 34) at = endOfString(bytes, at)
    else if (byte === 91 || byte === 123) depth++
    else if (byte === 93 || byte === 125) depth--
    else if (byte === 44 && depth === 1 && at - start > BLOCK) {
      yield bytes.toString('utf8', start, at)
      start = at + 1
    }
  }
  // Without its end, or with more after it, it is no JSON.
  yield depth > 0 || bytes.toString('utf8', at).trim() !== '' ? 'no array' : bytes.toString('utf8', start, at - 1)
}

/**
 * @param {Buffer} bytes
 * @param {number} at where a string begins
 * @returns {number} where it ends
 */
function endOfString (bytes, at) {
  do at++; while (at < bytes.length && bytes[at] !== 34 && !(bytes[at] === 92 && ++at === bytes.length))
  return at
}

/** @param {string} path of a file with a line of JSON for each row */
function readJsonLines (path) {
  const { size, parts } = readLines(path)
  const collector = new Collector(size)
  let line = 0
  const place = () => `line ${line}`
  for (const part of parts) {
    for (const text of part.toString().replace(/\n$/, '').split('\n')) {
      line++
      if (text.trim() !== '') collector.add(withTexts(`[${text}]`, [parseJson(text, 'it', line)]), 0, place)
    }
  }
  return collector.end()
}

module.exports = { dataOfRows, hasSeparator, isDataFile, readDataFile }
