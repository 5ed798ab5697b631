'use strict'

// Owns a list of requests that may have a million entries: bytes and offsets that threads share, and no object per request. What
// many requests have in common is a shape. An entry is the number of its shape, then its values: the path, the value of each header,
// and the body. Where requests come from is target-file's, how they become bytes of a protocol is layout's.

/**
 * @typedef {object} Shape
 * @property {number} origin index
 * @property {string | null} method null for that of the options
 * @property {ReadonlyArray<string>} names of headers
 * @property {'none' | 'empty' | 'own' | 'file'} body own: the bytes are in the entry; file: the index of a file is
 * @property {boolean} isForm whether the body is a form unless a header says something else
 *
 * @typedef {object} Origin
 * @property {string | null} url with user and password, where the requests of all of it have them; null for that of the option `url`
 * @property {number} first place of its first request in `starts`
 * @property {number} count
 *
 * @typedef {object} TargetList plain data
 * @property {Uint8Array} bytes entries, and the contents of files
 * @property {Uint32Array} starts where each entry begins, those of one origin in a row
 * @property {ReadonlyArray<Shape>} shapes
 * @property {ReadonlyArray<Origin>} origins
 * @property {ReadonlyArray<{ at: number, length: number }>} files bodies that any number of entries have
 */

/** Offsets are 32 bits. */
const MOST_BYTES = 2 ** 32 - 1

/** What a value is, beside its length, at the most. */
const VARINT = 5

class ListWriter {
  /** @param {number} size how many bytes there will be, roughly: what is not written to takes no memory */
  constructor (size) {
    this.bytes = Buffer.from(new SharedArrayBuffer(size))
    this.at = 0
    this.starts = new Uint32Array(1024)
    this.count = 0
    /** @type {Shape[]} */
    this.shapes = []
    /** @type {Map<string, number>} */
    this.shapeIds = new Map()
    /** @type {Array<{ url: string | null, count: number }>} */
    this.origins = []
    /** @type {Array<{ at: number, length: number }>} */
    this.files = []
  }

  /**
   * @param {Shape} shape
   * @returns {number}
   */
  shape (shape) {
    const { origin, method, names, body, isForm } = shape
    // None of these has a space in it.
    const key = [origin, method ?? '', body, isForm, ...names].join(' ')
    let id = this.shapeIds.get(key)
    if (id === undefined) {
      id = this.shapes.push(shape) - 1
      this.shapeIds.set(key, id)
    }
    return id
  }

  /**
   * An entry begins; its values follow.
   * @param {number} shape
   */
  begin (shape) {
    if (this.count === this.starts.length) {
      const { starts } = this
      this.starts = new Uint32Array(2 * starts.length)
      this.starts.set(starts)
    }
    this.starts[this.count++] = this.at
    this.origins[this.shapes[shape].origin].count++
    // For the number of the shape and that of a file.
    this.reserve(2 * VARINT)
    this.number(shape)
  }

  /** @param {number} number for which there is room */
  number (number) {
    for (; number > 127; number >>>= 7) this.bytes[this.at++] = 128 | (number & 127)
    this.bytes[this.at++] = number
  }

  /**
   * A value begins.
   * @param {number} length
   * @returns {number} where its bytes are to be written
   */
  room (length) {
    this.reserve(length + 2 * VARINT)
    this.number(length)
    this.at += length
    return this.at - length
  }

  /**
   * A value that lies in a buffer.
   * @param {Uint8Array} from
   * @param {number} start
   * @param {number} end
   */
  copy (from, start, end) {
    let at = this.room(end - start)
    const { bytes } = this
    if (end - start > SHORT) bytes.set(from.subarray(start, end), at)
    else for (let i = start; i < end; i++) bytes[at++] = from[i]
  }

  /** @param {string | Uint8Array} value */
  value (value) {
    if (typeof value === 'string') this.bytes.write(value, this.room(Buffer.byteLength(value)))
    else this.copy(value, 0, value.length)
  }

  /**
   * Keeps the content of a file once, however many entries have it.
   * @param {Uint8Array} content
   * @returns {number} its index
   */
  addFile (content) {
    this.reserve(content.length)
    this.bytes.set(content, this.at)
    this.at += content.length
    return this.files.push({ at: this.at - content.length, length: content.length }) - 1
  }

  /** @param {number} more bytes are about to be written */
  reserve (more) {
    const { bytes, at } = this
    if (at + more <= bytes.length) return
    if (at + more > MOST_BYTES) throw new TypeError('the requests have more than 4 GB together: split them up')
    this.bytes = Buffer.from(new SharedArrayBuffer(Math.min(MOST_BYTES, Math.max(at + more, Math.ceil(bytes.length * 1.5)))))
    this.bytes.set(bytes.subarray(0, at))
  }

  /** @returns {TargetList} */
  end () {
    const { bytes, at, starts, count, shapes, origins, files } = this
    let first = 0
    return {
      bytes: new Uint8Array(bytes.buffer, 0, at),
      starts: shared(starts.subarray(0, count)),
      shapes,
      origins: origins.map(origin => ({ ...origin, first: (first += origin.count) - origin.count })),
      files
    }
  }
}

/** Up to this many bytes a loop is faster than a call. */
const SHORT = 40

/**
 * @param {Uint32Array} numbers
 * @returns {Uint32Array}
 */
function shared (numbers) {
  const copy = new Uint32Array(new SharedArrayBuffer(numbers.byteLength))
  copy.set(numbers)
  return copy
}

/**
 * Puts the requests of each origin in a row, in the order in which they were.
 * @param {TargetList} list as it was written
 * @param {string | undefined} url in place of the origin that is not known yet
 * @returns {TargetList}
 */
function byOrigin (list, url) {
  const urls = list.origins.map(origin => origin.url ?? /** @type {string} */ (url))
  // The server of the option may be one of those that lines name.
  const places = urls.map(one => urls.findIndex(other => new URL(other).origin === new URL(one).origin))
  const kept = places.filter((place, i) => place === i)
  const shapes = list.shapes.map(shape => ({ ...shape, origin: kept.indexOf(places[shape.origin]) }))
  if (kept.length === 1) return { ...list, shapes, origins: [{ url: urls[0], first: 0, count: list.starts.length }] }
  const origins = kept.map(place => ({ url: urls[place], first: 0, count: 0 }))
  const reader = new ListReader(list)
  const of = Uint32Array.from(list.starts, at => shapes[reader.shapeAt(at)].origin)
  for (const i of of) origins[i].count++
  const next = origins.map((origin, i) => { return i === 0 ? 0 : (origin.first = origins[i - 1].first + origins[i - 1].count) })
  const starts = new Uint32Array(list.starts.length)
  for (let i = 0; i < of.length; i++) starts[next[of[i]]++] = list.starts[i]
  return { ...list, shapes, origins, starts: shared(starts) }
}

/** Reads entries one after the other: where each value lies. */
class ListReader {
  /** @param {Pick<TargetList, 'bytes' | 'starts' | 'shapes' | 'files'>} list */
  constructor (list) {
    this.list = list
    this.bytes = list.bytes
    this.starts = list.starts
    this.shapes = list.shapes
    this.at = 0
    /** Of the entry that was read last. */
    this.shape = 0
    const most = 2 + list.shapes.reduce((most, { names }) => Math.max(most, names.length), 0)
    /** Where its values begin and end: the path, those of the headers, the body. */
    this.from = new Uint32Array(most)
    this.to = new Uint32Array(most)
  }

  /** @returns {number} */
  number () {
    const { bytes } = this
    let byte = bytes[this.at++]
    if (byte < 128) return byte
    let number = byte & 127
    for (let factor = 128; byte > 127; factor *= 128) {
      byte = bytes[this.at++]
      number += (byte & 127) * factor
    }
    return number
  }

  /** @param {number} at where an entry begins */
  shapeAt (at) {
    this.at = at
    return this.number()
  }

  /**
   * @param {number} i which value
   * @param {number} length
   * @param {number} at
   */
  place (i, length, at) {
    this.from[i] = at
    this.to[i] = at + length
  }

  /** @param {number} entry */
  read (entry) {
    this.shape = this.shapeAt(this.starts[entry])
    const { names, body } = this.shapes[this.shape]
    const values = body === 'own' ? names.length + 2 : names.length + 1
    for (let i = 0; i < values; i++) {
      const length = this.number()
      this.place(i, length, this.at)
      this.at += length
    }
    if (body === 'file') {
      const { at, length } = this.list.files[this.number()]
      this.place(values, length, at)
    }
  }

  /**
   * @param {number} i which value of the entry that was read
   * @returns {string}
   */
  text (i) {
    return Buffer.from(this.bytes.buffer, this.from[i], this.to[i] - this.from[i]).toString()
  }

  /**
   * @param {number} entry
   * @param {import('./request').Request} defaults for what it leaves out
   * @returns {import('./request').Request}
   */
  request (entry, defaults) {
    this.read(entry)
    const { names, body } = this.shapes[this.shape]
    const content = () => Buffer.from(this.bytes.slice(this.from[names.length + 1], this.to[names.length + 1]))
    return requestOf(this.shapes[this.shape], defaults, {
      path: this.text(0),
      values: names.map((_, i) => this.text(i + 1)),
      body: body === 'own' || body === 'file' ? content() : null
    })
  }
}

/** The type of a form, as in curl. */
const FORM = /** @type {const} */ (['Content-Type', 'application/x-www-form-urlencoded'])

/**
 * @param {Shape} shape
 * @param {import('./request').Request} defaults
 * @param {{ path: string, values: string[], body: Uint8Array | null }} values of one entry, or what stands for them
 * @returns {import('./request').Request}
 */
function requestOf ({ method, names, body, isForm }, defaults, { path, values, body: own }) {
  const given = names.map((name, i) => /** @type {const} */ ([name, values[i]]))
  const headers = names.length === 0 ? defaults.headers : mergeHeaders(defaults.headers, given)
  return {
    method: method ?? defaults.method,
    path,
    headers: isForm ? mergeHeaders([FORM], headers) : headers,
    body: body === 'none' ? defaults.body : body === 'empty' ? '' : own
  }
}

const { mergeHeaders } = require('./headers')

module.exports = { ListReader, ListWriter, byOrigin, requestOf }
