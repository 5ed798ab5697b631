'use strict'

// Rows of data, packed into memory that threads share. There may be a million: a row becomes an object only when a hook
// reads it. data-file.js parses them.

const { PackedReader, PackedWriter, VARINT } = require('../requests/packed')

/**
 * @typedef {object} RowsData plain data
 * @property {ReadonlyArray<string> | null} columns their names; null when a row is one value without a name
 * @property {boolean} typed whether values have a kind: one that is not text is stored as JSON
 * @property {Uint8Array} bytes
 * @property {Uint32Array} starts
 */

/** Characters that a header or a request target can't contain. */
const BREAKS = /[\r\n\0]/

/** Kinds of values, in typed rows. */
const TEXT = 0
const JSON_TEXT = 1
/** A text in the shared bytes before the rows: its offset follows its length. */
const PART = 2
/** A text of several such parts: their size, number and offsets follow its length. */
const PARTS = 3

class RowsWriter extends PackedWriter {
  /** @param {ReadonlyArray<string> | null} columns @param {boolean} typed @param {number} size */
  constructor (columns, typed, size) {
    super(size, 'rows')
    this.columns = columns
    this.typed = typed
    this.width = columns === null ? 1 : columns.length
    /**
     * By column, the place of its first value with a line break or a NUL.
     * @type {Map<number, string>}
     */
    this.breaks = new Map()
  }

  /**
   * @param {ReadonlyArray<string>} values one for each column
   * @param {() => string} place returns the place of the row, for messages
   */
  texts (values, place) {
    this.entry()
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      this.value(value)
      if (BREAKS.test(value)) this.noteBreak(i, place)
    }
  }

  /**
   * Writes a text into a typed row.
   * @type {(value: string, column: number, place: () => string) => void}
   */
  text (value, column, place) {
    this.reserve(1)
    this.number(TEXT)
    this.value(value)
    if (BREAKS.test(value)) this.noteBreak(column, place)
  }

  /** @param {string} value JSON that is not a string */
  json (value) {
    this.reserve(1)
    this.number(JSON_TEXT)
    this.value(value)
  }

  /** Writes shared text before the first row: values may be parts of it. @param {Buffer} text */
  lay (text) {
    this.reserve(text.length)
    this.bytes.set(text, this.at)
    this.at += text.length
  }

  /**
   * Writes the last value of a typed row: a part of the shared text.
   * @type {(from: number, length: number) => void}
   */
  part (from, length) {
    this.reserve(1 + 2 * VARINT)
    this.number(PART)
    this.number(length)
    this.number(from)
  }

  /**
   * Writes the last value of a typed row: several parts of the shared text.
   * @param {ReadonlyArray<number>} froms
   * @param {number} size of each part; the last one has the rest
   * @param {number} length of the whole value
   */
  parts (froms, size, length) {
    this.reserve(1 + (3 + froms.length) * VARINT)
    this.number(PARTS)
    this.number(length)
    this.number(size)
    this.number(froms.length)
    for (const from of froms) this.number(from)
  }

  /** @type {(column: number, place: () => string) => void} */
  noteBreak (column, place) {
    if (!this.breaks.has(column)) this.breaks.set(column, place())
  }

  /** @returns {RowsData} */
  end () {
    const { columns, typed } = this
    return { columns, typed, ...this.packed() }
  }
}

class Rows extends PackedReader {
  /** @param {RowsData} data */
  constructor ({ columns, typed, bytes, starts }) {
    super(bytes)
    this.columns = columns
    this.typed = typed
    this.starts = starts
    this.memory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.kind = TEXT
  }

  /** @returns {number} the size of the next value, which begins at `at` after the call */
  head () {
    if (this.typed) this.kind = this.number()
    const length = this.number()
    if (this.kind === PART) this.at = this.number()
    return length
  }

  /**
   * Returns the size of the value, which begins at `at` after the call.
   * @type {(row: number, column: number) => number}
   */
  find (row, column) {
    this.at = this.starts[row]
    for (; column > 0; column--) {
      const length = this.head()
      this.at += length
    }
    return this.head()
  }

  /** Returns the value as it is inserted into a text. @type {(row: number, column: number) => string} */
  text (row, column) {
    const length = this.find(row, column)
    return this.kind === PARTS ? this.joined(length) : this.memory.toString('utf8', this.at, this.at + length)
  }

  /** @param {number} left size of the value in bytes; the size and number of its parts are at `at` */
  joined (left) {
    const size = this.number()
    let text = ''
    for (let parts = this.number(); parts > 0 && left > 0; parts--) {
      const from = this.number()
      const length = parts === 1 ? left : Math.min(size, left)
      text += this.memory.toString('utf8', from, from + length)
      left -= length
    }
    return text
  }

  /** Returns the value as JSON. @type {(row: number, column: number) => string} */
  json (row, column) {
    const text = this.text(row, column)
    return this.kind === JSON_TEXT ? text : JSON.stringify(text)
  }

  /** Returns an object without a prototype; for rows without columns, the value. @type {(row: number) => any} */
  valueOf (row) {
    if (this.columns === null) return this.typedText(row, 0)
    const object = Object.create(null)
    for (const [i, name] of this.columns.entries()) object[name] = this.typedText(row, i)
    return object
  }

  /** @type {(row: number, column: number) => any} */
  typedText (row, column) {
    const text = this.text(row, column)
    return this.kind === JSON_TEXT ? JSON.parse(text) : text
  }
}

module.exports = { Rows, RowsWriter }
