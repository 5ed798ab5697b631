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
 * @property {ReadonlyMap<number, string>} breaks by column, the place of its first value with a line break or a NUL
 */

/** Separators by file extension. @type {Readonly<Record<string, string>>} */
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

/** Returns whether a file with this extension is a data file. @type {(path: unknown) => boolean} */
function isDataFile (path) {
  return typeof path === 'string' && Object.hasOwn(READERS, kindOf(path))
}

/** @param {string} path of a data file */
function hasSeparator (path) {
  return Object.hasOwn(SEPARATORS, kindOf(path))
}

/** @type {(path: string, separator?: string) => RowsWriter} */
function readTable (path, separator) {
  return require('./csv').readCsv(path, separator ?? SEPARATORS[kindOf(path)], separator !== undefined)
}

/**
 * @throws {TypeError} with the file, and the line
 * @type {(path: string, separator?: string) => Data}
 */
function readDataFile (path, separator) {
  try {
    return dataOf(READERS[kindOf(path)](path, separator))
  } catch (error) {
    // The error of an unreadable file already has its path.
    if (error instanceof TypeError && !('path' in error)) {
      error.message = `the file '${path}': ${error.message}`
    }
    throw error
  }
}

/**
 * @param {unknown[]} list given as an option
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

/** Collects rows of JSON values. The first row sets the columns. */
class Collector {
  /** @param {number} size approximate size, bytes */
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
 * @param {any} holder the object or array with the value
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
 * @param {unknown} value at that key
 * @returns {string | undefined} its JSON, with the source texts of numbers; undefined for values that JSON lacks
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

/** The size of a part that is parsed at once, bytes. */
const BLOCK = 64 * 1024

/**
 * Parses the array in parts: a million objects at once take ten times the memory of the text.
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
      // The whole text is parsed again for the position of the mistake.
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

/** @param {Buffer} bytes @returns {Generator<string>} the texts of some entries at a time, separated by commas */
function * partsOfArray (bytes) {
  let start = bytes.indexOf(91)
  // This makes the caller report that the text is no array.
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
  // An array without an end, or with text after it, is not JSON.
  yield depth > 0 || bytes.toString('utf8', at).trim() !== '' ? 'no array' : bytes.toString('utf8', start, at - 1)
}

/**
 * @param {Buffer} bytes
 * @param {number} at where a string begins
 * @returns {number} the index of its closing quotation mark
 */
function endOfString (bytes, at) {
  do at++; while (at < bytes.length && bytes[at] !== 34 && !(bytes[at] === 92 && ++at === bytes.length))
  return at
}

/** @param {string} path of a file with one JSON value per line */
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
