'use strict'

// Encodes a request as frames (RFC 9113 §8.3, RFC 7541): HEADERS, CONTINUATION and DATA without the stream number,
// which the peer writes. `encode` returns a draft: fields with placeholders for values, and the body.
//
// Repeated requests are kept: instead of the stream number there is the number of a KeptRequest, which has the header
// block in several forms. The fields of the first request of a connection are added to the dynamic table of the server,
// and later requests refer to them (RFC 7541 §6.1): 10 bytes instead of 80. Only the first request does so: then the
// table's content follows from that request alone, and all connections that began with it share the forms.

const { AutocannonError } = require('../../core/errors')
const { show } = require('../../core/foreign-text')
const { refusalOf } = require('./connection-fields')
const { WITH_INDEXING, encodeField, encodeName, writeInteger } = require('./field-encoder')
const { FIELD, FieldReader } = require('./field-reader')
const {
  CONTINUATION, DATA, END_HEADERS, END_STREAM, FRAME_HEAD, HEADERS, MAX_PAYLOAD, payloadLength, readUint31,
  writeFrameHead
} = require('./frames')
const { NAMES, findField, valueAt } = require('./static-table')

/**
 * @typedef {import('../../requests/request').Request} Request
 * @typedef {import('../../requests/target').Target} Target
 * @typedef {readonly [name: string, value: string]} Field
 */

/** Methods that define a body: without one, they have a length of 0 (RFC 9110 §8.6). */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])

// A draft: for each field the length of its start, the start (name and mode), and the value up to a NUL, which no value
// contains (RFC 9110 §5.5). A field that is an index has this bit and no value. END_OF_FIELDS follows the last one,
// then the body.
const WHOLE = 0x80
const END_OF_FIELDS = 0xff

/** The default size of a server's dynamic table (RFC 9113 §6.5.2), and of an entry beside its text (RFC 7541 §4.1). */
const TABLE_SIZE = 4096
const ENTRY_OVERHEAD = 32

/** How many requests are kept at most: hooks may edit a request at each response. */
const MAX_KEPT = 4096

/**
 * How many of them may be the first of a connection whose fields others refer to. Each has forms of all the others, of
 * 300 bytes: of 500 requests over connections that are reopened repeatedly, and begin with any of them, they were 77
 * MB.
 */
const MAX_TABLES = 32

/** The static table ends before it (RFC 7541 §2.3.3). */
const FIRST_DYNAMIC = 62

/**
 * @param {Request} request
 * @param {Pick<Target, 'authority' | 'authorization' | 'path' | 'tls'>} target
 * @param {(length: number, radix: number) => string} [writeLength] returns the text for the length of the body
 * @returns {Buffer} a draft
 * @throws {AutocannonError} for a header that belongs to a connection
 */
function encode (request, target, writeLength = String) {
  /** @type {Buffer[]} */
  const parts = []
  for (const [name, value] of fieldsOf(request, target, writeLength)) {
    /** @type {number[]} */
    const start = []
    const isWhole = findField(name, value) > 0
    if (isWhole) encodeField(name, value, start)
    else encodeName(name, start)
    // Longer than 127 bytes: no usual field.
    if (start.length >= WHOLE) {
      throw new AutocannonError(
        'AC_H2_HEADER',
        `the name of the header ${show(name)} is longer than 120 bytes, which HTTP/2 requests can't have here`
      )
    }
    parts.push(Buffer.from([isWhole ? start.length | WHOLE : start.length, ...start]))
    if (!isWhole) parts.push(Buffer.from(value + '\0'))
  }
  parts.push(Buffer.from([END_OF_FIELDS]))
  const { body } = request
  if (body !== null) parts.push(typeof body === 'string' ? Buffer.from(body) : Buffer.from(body))
  return Buffer.concat(parts)
}

/**
 * @param {Request} request
 * @param {Pick<Target, 'authority' | 'authorization' | 'path' | 'tls'>} target
 * @param {(length: number, radix: number) => string} writeLength
 * @returns {Field[]} in the order in which they are sent: pseudo-header fields come first (§8.3)
 */
function fieldsOf ({ method, path, headers, body }, { authority, authorization, path: ownPath, tls }, writeLength) {
  const given = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]))
  const size = body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length
  /** @type {Field[]} */
  const fields = [[':method', method]]
  const [place, sentPath] = partsOf(path ?? ownPath, given.get('host') ?? authority)
  if (method !== 'CONNECT') fields.push([':scheme', tls ? 'https' : 'http'])
  fields.push([':authority', place])
  if (method !== 'CONNECT') fields.push([':path', sentPath])
  if (authorization !== undefined && !given.has('authorization')) fields.push(['authorization', authorization])
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    const refusal = refusalOf(name, value)
    if (refusal !== null) {
      throw new AutocannonError(
        'AC_H2_HEADER',
        `${method} ${show((path ?? ownPath).replace(/\?.*/s, '')).slice(1, -1)}: ${refusal}`
      )
    }
    if (lower !== 'host') fields.push([lower, value.trim()])
  }
  if (!given.has('content-length') && (body !== null || EXPECTS_BODY.has(method))) {
    fields.push(['content-length', writeLength(size, 10)])
  }
  return fields
}

/**
 * @param {string} path as the request has it: a whole URL perhaps
 * @param {string} authority
 * @returns {[authority: string, path: string]} without user and password, which an authority has none of (§8.3.1)
 */
function partsOf (path, authority) {
  const [, host, rest] = /^https?:\/\/(?:[^/?#]*@)?([^/?#]*)([^]*)$/i.exec(path) ?? []
  const sentPath = host === undefined ? path : rest.startsWith('/') ? rest : '/' + rest
  // By way of a Buffer, which replaces the half of a surrogate pair; encodeURIComponent throws.
  return [host ?? authority, sentPath.replace(/[^\x21-\x7e]+/g, text => encodeURIComponent(Buffer.from(text).toString()))]
}

/**
 * @param {Buffer} draft that has all its values
 * @returns {Buffer} its frames; instead of the stream stands 0
 */
function finish (draft) {
  // A value takes up to 5 bytes for its length, and no byte for its beginning and end.
  const block = Buffer.allocUnsafe(5 * draft.length)
  let size = 0
  let at = 0
  while (draft[at] !== END_OF_FIELDS) {
    const first = draft[at++]
    for (let left = first & ~WHOLE; left > 0; left--) block[size++] = draft[at++]
    if ((first & WHOLE) !== 0) continue
    const next = draft.indexOf(0, at) + 1
    // A value has no white space at its ends (§8.2.1); one that was filled in may.
    let end = next - 1
    while (at < end && isBlank(draft[at])) at++
    while (end > at && isBlank(draft[end - 1])) end--
    size = writeInteger(block, size, 7, 0, end - at)
    while (at < end) block[size++] = draft[at++]
    at = next
  }
  return framesOf(block.subarray(0, size), draft.subarray(at + 1))
}

/** @param {number} byte */
const isBlank = byte => byte === 0x20 || byte === 0x09

/**
 * @param {Uint8Array} block a header block
 * @param {Uint8Array} body
 * @param {boolean} [ends] whether the header block ends the stream when there is no body
 * @returns {Buffer}
 */
function framesOf (block, body, ends = body.length === 0) {
  const frames = Buffer.allocUnsafe(
    block.length +
      body.length +
      FRAME_HEAD * (2 + Math.ceil(block.length / MAX_PAYLOAD) + Math.ceil(body.length / MAX_PAYLOAD))
  )
  let at = 0
  for (let from = 0; from === 0 || from < block.length; from += MAX_PAYLOAD) {
    const to = Math.min(block.length, from + MAX_PAYLOAD)
    const flags = (to === block.length ? END_HEADERS : 0) | (from === 0 && ends ? END_STREAM : 0)
    at = writeFrameHead(frames, at, to - from, from === 0 ? HEADERS : CONTINUATION, flags, 0)
    frames.set(block.subarray(from, to), at)
    at += to - from
  }
  for (let from = 0; from < body.length; from += MAX_PAYLOAD) {
    const to = Math.min(body.length, from + MAX_PAYLOAD)
    at = writeFrameHead(frames, at, to - from, DATA, to === body.length ? END_STREAM : 0, 0)
    frames.set(body.subarray(from, to), at)
    at += to - from
  }
  return frames.subarray(0, at)
}

/**
 * @param {ReadonlyArray<Field>} fields of a request whose stream stays open
 * @returns {Buffer} its header block in frames; instead of the stream stands 0
 */
function openHead (fields) {
  /** @type {number[]} */
  const block = []
  for (const [name, value] of fields) encodeField(name, value, block)
  return framesOf(Buffer.from(block), Buffer.alloc(0), false)
}

/**
 * @param {Buffer} bytes
 * @param {number} at where a request begins in them
 * @returns {number} where its DATA begins, or where it ends when it has none
 */
function endOfHead (bytes, at) {
  let isLast = false
  for (; !isLast; at += FRAME_HEAD + payloadLength(bytes, at)) isLast = (bytes[at + 4] & END_HEADERS) !== 0
  return at
}

/**
 * @param {Buffer} bytes
 * @param {number} at where a request begins in them
 * @returns {number} where it ends
 */
function endOfRequest (bytes, at) {
  let next = endOfHead(bytes, at)
  if ((bytes[at + 4] & END_STREAM) !== 0) return next
  for (let isLast = false; !isLast;) {
    isLast = (bytes[next + 4] & END_STREAM) !== 0
    next += FRAME_HEAD + payloadLength(bytes, next)
  }
  return next
}

/** @param {Buffer} bytes of one request, as `finish` makes them @returns {{ fields: Field[], body: Buffer }} */
function readRequest (bytes) {
  const payloads = { [DATA]: /** @type {Buffer[]} */ ([]), [HEADERS]: /** @type {Buffer[]} */ ([]) }
  for (let at = 0; at < bytes.length;) {
    const start = at + FRAME_HEAD
    const end = start + payloadLength(bytes, at)
    payloads[bytes[at + 3] === DATA ? DATA : HEADERS].push(bytes.subarray(start, end))
    at = end
  }
  return { fields: readFields(Buffer.concat(payloads[HEADERS])), body: Buffer.concat(payloads[DATA]) }
}

/** @param {Buffer} block that refers to no dynamic table */
function readFields (block) {
  /** @type {Field[]} */
  const fields = []
  // A byte in Huffman code is less than two.
  const room = Buffer.allocUnsafe(2 * block.length)
  const reader = new FieldReader()
  reader.open(block, 0, block.length)
  while (reader.next() === FIELD) {
    const { index, indexed } = reader
    const name = index === 0 ? room.toString('latin1', 0, reader.name(room)) : NAMES[index]
    fields.push([name, indexed ? valueAt(index) : room.toString('utf8', 0, reader.value(room))])
  }
  return fields
}

/**
 * The sent request, with the values that only its bytes have.
 * @param {Buffer} bytes that `finish` has made
 * @param {Request} request of which it was made: added fields are left out
 * @returns {Request}
 */
function decode (bytes, { method, headers, body: given }) {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const { fields, body } = readRequest(bytes)
  const valueOf = (/** @type {string} */ name) => fields.find(([one]) => one === name)?.[1] ?? ''
  const sent = fields.filter(([name]) => names.has(name))
  return {
    method,
    path: valueOf(':path'),
    headers: names.has('host') ? [['host', valueOf(':authority')], ...sent] : sent,
    body: given === null ? null : body
  }
}

class KeptRequest {
  /**
   * @param {Buffer} bytes as `finish` has made them
   * @param {number} number among all that are kept, from 1 on
   */
  constructor (bytes, number) {
    const { fields } = readRequest(bytes)
    this.number = number
    this.fields = fields
    this.ends = (bytes[4] & END_STREAM) !== 0
    /** How many bytes it has where it stands among others, and how many of them are in front of DATA. */
    this.size = bytes.length
    this.headSize = endOfHead(bytes, 0)
    /** The header block in frames, referring to nothing. */
    this.plain = this.frames(fields.flatMap(([name, value]) => this.field(name, value)))
    /** The server's table on a connection that begins with this request; lazy. @type {Table | null} */
    this.ownTable = null
  }

  get table () {
    this.ownTable ??= new Table(this)
    return this.ownTable
  }

  /** @param {string} name @param {string} value @param {number} [mode] */
  field (name, value, mode) {
    /** @type {number[]} */
    const out = []
    encodeField(name, value, out, mode)
    return out
  }

  /** @param {number[]} block */
  frames (block) {
    return framesOf(Buffer.from(block), Buffer.alloc(0), this.ends)
  }
}

/** The dynamic table of a server after the first request of a connection. */
class Table {
  /** @param {KeptRequest} first */
  constructor (first) {
    /** The fields that are added, the newest one last. @type {Field[]} */
    this.added = []
    let size = 0
    /** @type {number[]} */
    const block = []
    for (const field of first.fields) {
      const [name, value] = field
      const takes = Buffer.byteLength(name) + Buffer.byteLength(value) + ENTRY_OVERHEAD
      const fits = findField(name, value) === 0 && size + takes <= TABLE_SIZE
      // Not as arguments of a call: the stack has no room for a value of 200 kB.
      for (const byte of first.field(name, value, fits ? WITH_INDEXING : undefined)) block.push(byte)
      if (!fits) continue
      size += takes
      this.added.push(field)
    }
    /** The header block of the first request, which adds them. */
    this.first = first.frames(block)
    /** Those of requests after it, by their numbers; lazy. @type {Array<Buffer | undefined>} */
    this.forms = []
  }

  /** Returns its header block in frames, after the first request. @type {(request: KeptRequest) => Buffer} */
  formOf (request) {
    return this.forms[request.number] ?? this.makeForm(request)
  }

  /** @param {KeptRequest} request */
  makeForm (request) {
    const { added } = this
    const block = request.fields.flatMap(([name, value]) => {
      const i = added.findLastIndex(field => field[0] === name && field[1] === value)
      if (i === -1) return request.field(name, value)
      /** @type {number[]} */
      const out = []
      writeInteger(out, 0, 7, 0x80, FIRST_DYNAMIC + added.length - 1 - i)
      return out
    })
    return (this.forms[request.number] = request.frames(block))
  }
}

/** The requests that the connections of one thread send repeatedly. */
class KeptRequests {
  constructor () {
    /** @type {KeptRequest[]} by their numbers less 1 */
    this.list = []
    this.tables = 0
  }

  /**
   * @param {KeptRequest} first that is sent on a connection which refers to nothing yet
   * @returns {Table | null} the table that the connection refers to from then on; null when there are enough of them
   */
  tableBehind (first) {
    if (first.ownTable === null && this.tables++ >= MAX_TABLES) return null
    return first.table
  }

  /**
   * @param {Buffer} bytes as `finish` has made them
   * @returns {Buffer} with its number instead of the stream
   */
  keep (bytes) {
    if (this.list.length === MAX_KEPT) return bytes
    const kept = new KeptRequest(bytes, this.list.length + 1)
    this.list.push(kept)
    const copy = Buffer.from(bytes)
    copy.writeUint32BE(kept.number, 5)
    return copy
  }

  /**
   * @param {Buffer} bytes
   * @param {number} at where a request begins in them
   * @returns {KeptRequest | null} null for one that is sent once
   */
  at (bytes, at) {
    const number = readUint31(bytes, at + 5)
    return number === 0 ? null : this.list[number - 1]
  }
}

module.exports = { KeptRequest, KeptRequests, Table, decode, encode, endOfHead, endOfRequest, finish, openHead }
