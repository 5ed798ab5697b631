'use strict'

// A list of up to a million requests: bytes and offsets that threads share, without an object per request. Requests
// with the same structure have a common shape. An entry is the number of its shape, then its values: the path, the
// value of each header, and the body. layout.js makes bytes of a protocol of it.

const { mergeHeaders } = require('../requests/headers')
const { PackedReader, PackedWriter, VARINT, shared } = require('../requests/packed')

/**
 * @typedef {object} Shape
 * @property {number} origin index
 * @property {string | null} method null for that of the options
 * @property {ReadonlyArray<string>} names of headers
 * @property {'none' | 'empty' | 'own' | 'file'} body own: the bytes are in the entry; file: the index of a file is
 * @property {boolean} isForm whether the body is a form by default
 *
 * @typedef {object} Origin
 * @property {string | null} url with user and password, where the requests of all of it have them; null for that of the
 *   option `url`
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

class ListWriter extends PackedWriter {
  /** @param {number} size how many bytes there will be, roughly */
  constructor (size) {
    super(size, 'requests')
    /** @type {Shape[]} */
    this.shapes = []
    /** @type {Map<string, number>} */
    this.shapeIds = new Map()
    /** @type {Array<{ url: string | null, count: number }>} */
    this.origins = []
    /** @type {Array<{ at: number, length: number }>} */
    this.files = []
  }

  /** @type {(shape: Shape) => number} */
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

  /** An entry begins; its values follow. @param {number} shape */
  begin (shape) {
    this.entry()
    this.origins[this.shapes[shape].origin].count++
    // For the number of the shape and that of a file.
    this.reserve(2 * VARINT)
    this.number(shape)
  }

  /**
   * Keeps the content of a file once, for any number of entries. Returns its index.
   * @type {(content: Uint8Array) => number}
   */
  addFile (content) {
    this.reserve(content.length)
    this.bytes.set(content, this.at)
    this.at += content.length
    return this.files.push({ at: this.at - content.length, length: content.length }) - 1
  }

  /** @returns {TargetList} */
  end () {
    const { shapes, origins, files } = this
    let first = 0
    return {
      ...this.packed(),
      shapes,
      origins: origins.map(origin => ({ ...origin, first: (first += origin.count) - origin.count })),
      files
    }
  }
}

/**
 * Puts the requests of each origin in a row, in the order in which they were.
 * @param {TargetList} list as it was written
 * @param {string | undefined} url instead of the origin that is not known yet
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
  const next = origins.map((origin, i) => {
    return i === 0 ? 0 : (origin.first = origins[i - 1].first + origins[i - 1].count)
  })
  const starts = new Uint32Array(list.starts.length)
  for (let i = 0; i < of.length; i++) starts[next[of[i]]++] = list.starts[i]
  return { ...list, shapes, origins, starts: shared(starts) }
}

class ListReader extends PackedReader {
  /** @param {Pick<TargetList, 'bytes' | 'starts' | 'shapes' | 'files'>} list */
  constructor (list) {
    super(list.bytes)
    this.list = list
    this.starts = list.starts
    this.shapes = list.shapes
    /** Of the entry that was read last. */
    this.shape = 0
    const most = 2 + list.shapes.reduce((most, { names }) => Math.max(most, names.length), 0)
    /** Where its values begin and end: the path, those of the headers, the body. */
    this.from = new Uint32Array(most)
    this.to = new Uint32Array(most)
  }

  /** @param {number} at where an entry begins */
  shapeAt (at) {
    this.at = at
    return this.number()
  }

  /** @param {number} i which value @param {number} length @param {number} at */
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

  /** @param {number} i which value of the entry that was read */
  text (i) {
    return Buffer.from(this.bytes.buffer, this.from[i], this.to[i] - this.from[i]).toString()
  }

  /**
   * @param {number} entry
   * @param {import('../requests/request').Request} defaults
   * @returns {import('../requests/request').Request}
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
 * @param {import('../requests/request').Request} defaults
 * @param {{ path: string, values: string[], body: Uint8Array | null }} values of one entry, or their placeholders
 * @returns {import('../requests/request').Request}
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

module.exports = { ListReader, ListWriter, byOrigin, requestOf }
