'use strict'

// A list of up to a million requests: bytes and offsets that threads share, without an object per request. Requests
// with the same structure share a shape. An entry is the number of its shape and its values: the path, the value of
// each header, and the body. layout.js encodes it for a protocol.

const { mergeHeaders } = require('../requests/headers')
const { PackedReader, PackedWriter, VARINT, shared } = require('../requests/packed')

/**
 * @typedef {object} Shape
 * @property {number} origin index
 * @property {string | null} method null for that of the options
 * @property {ReadonlyArray<string>} names of headers
 * @property {'none' | 'empty' | 'own' | 'file'} body own: the entry has the bytes; file: the entry has the index of a
 *   file
 * @property {boolean} isForm whether the body is a form by default
 *
 * @typedef {object} Origin
 * @property {string | null} url with user and password, if given; null for that of the option `url`
 * @property {number} first index of its first request in `starts`
 * @property {number} count
 *
 * @typedef {object} TargetList plain data
 * @property {Uint8Array} bytes entries, and the contents of files
 * @property {Uint32Array} starts offset of each entry; entries of one origin are consecutive
 * @property {ReadonlyArray<Shape>} shapes
 * @property {ReadonlyArray<Origin>} origins
 * @property {ReadonlyArray<{ at: number, length: number }>} files bodies, each for any number of entries
 */

class ListWriter extends PackedWriter {
  /** @param {number} size approximate size, bytes */
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
    // No part contains a space.
    const key = [origin, method ?? '', body, isForm, ...names].join(' ')
    let id = this.shapeIds.get(key)
    if (id === undefined) {
      id = this.shapes.push(shape) - 1
      this.shapeIds.set(key, id)
    }
    return id
  }

  /** Begins an entry; its values follow. @param {number} shape */
  begin (shape) {
    this.entry()
    this.origins[this.shapes[shape].origin].count++
    // Room for the numbers of the shape and of a file.
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
 * Groups the requests by origin. Within an origin they keep their order.
 * @param {TargetList} list as it was written
 * @param {string | undefined} url the origin of requests that have none
 * @returns {TargetList}
 */
function byOrigin (list, url) {
  const urls = list.origins.map(origin => origin.url ?? /** @type {string} */ (url))
  // The origin of the option may also occur in the list.
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
    /** The shape of the last read entry. */
    this.shape = 0
    const most = 2 + list.shapes.reduce((most, { names }) => Math.max(most, names.length), 0)
    /** Start and end of its values: the path, the headers, the body. */
    this.from = new Uint32Array(most)
    this.to = new Uint32Array(most)
  }

  /** @param {number} at offset of an entry */
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

/** The Content-Type of a form, as in curl. */
const FORM = /** @type {const} */ (['Content-Type', 'application/x-www-form-urlencoded'])

/**
 * @param {Shape} shape
 * @param {import('../requests/request').Request} defaults
 * @param {{ path: string, values: string[], body: Uint8Array | null }} values of one entry, or marks for them
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
