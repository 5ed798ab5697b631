'use strict'

// A request with parts that are known only when it is sent: fixed segments of bytes, with fillers for values between
// them. It is independent of the protocol: a request is encoded with marks instead of values, and the bytes between
// marks become the segments.

const { ColumnFiller } = require('./column-filler')

/**
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('../requests/target').Target} Target
 *
 * @typedef {import('./own').Own} Own the values for fillers
 * @typedef {(own: Own) => string} TextFiller returns the escaped value for one request. Without a valid value it sets
 *   `own.refused`
 * @typedef {{ size: number, write: (own: Own, bytes: Buffer, at: number) => void }} FixedFiller writes values of one
 *   size in bytes. Without a string for each value, a request with an id is filled in 0.3 instead of 0.65 µs
 *
 * @typedef {object} Tag a text that marks a value in paths, headers and bodies
 * @property {string} text
 * @property {RegExp} inUrl matches the text in a parsed URL
 * @property {TextFiller | FixedFiller} filler
 *
 * @typedef {(request: Request, target: Target, writeLength?: (length: number, radix: number) => string) => Buffer}
 *   Encode returns a draft: bytes with marks for values. `writeLength` returns the text for the length of the body; the
 *   digits by default
 * @typedef {(draft: Buffer) => Buffer} Finish converts a draft with all values to the bytes that are sent
 *
 * @typedef {object} Encoding how a protocol encodes requests
 * @property {Encode} encode
 * @property {Finish | null} [finish] null when a draft is sent as it is
 */

// A mark is random text, a letter and five digits, so that no other text of a request equals it. It is no secret:
// Math.random is enough, and node:crypto takes 2 ms to load.
const random32 = () => Math.floor(Math.random() * 2 ** 32).toString(16).padStart(8, '0')
const RANDOM = Array.from({ length: 4 }, random32).join('')
const MARK_LENGTH = RANDOM.length + 6
/** The kind of a mark outside of the body; the number is the index of its filler. */
const OUTSIDE = 'a'
/** The kind of a mark inside of the body. */
const INSIDE = 'b'
/** The kind of a mark for the length of the body; the number is the radix. */
const LENGTH = 'c'

/** The radix of chunk sizes. */
const CHUNKED = 16

/** @type {(kind: string, number: number) => string} */
const markOf = (kind, number) => RANDOM + kind + String(number).padStart(5, '0')

class Template {
  /**
   * @param {Buffer} bytes with marks
   * @param {ReadonlyArray<TextFiller | FixedFiller | ColumnFiller>} fillers by the number of the mark
   * @param {number} bodySize size of the body with marks
   * @param {Finish | null} finish
   */
  constructor (bytes, fillers, bodySize, finish) {
    this.finish = finish
    const { segments, marks } = splitAtMarks(bytes)
    /** One more than fillers. */
    this.segments = segments
    /** @type {Array<TextFiller | FixedFiller | ColumnFiller | null>} null for the length of the body */
    this.fillers = marks.map(({ kind, number }) => kind === LENGTH ? null : fillers[number])
    /** Whether each filler is inside of the body. */
    this.inside = marks.map(({ kind }) => kind === INSIDE)
    /** The radix of the length of the body. */
    this.radix = radixIn(marks)
    /** Whether a header or chunk has the length of the body, at most once. */
    this.hasLength = this.fillers.includes(null)
    this.segmentsSize = segments.reduce((sum, { length }) => sum + length, 0)
    /** Size of the body without values. */
    this.bodySize = bodySize - MARK_LENGTH * this.inside.filter(Boolean).length
    /** @type {string[]} the last values of text fillers */
    this.values = this.fillers.map(() => '')
    /** @type {number[]} size of each value in bytes */
    this.sizes = this.fillers.map(filler =>
      filler === null || typeof filler === 'function' || filler instanceof ColumnFiller ? 0 : filler.size)
    /** @type {number[]} offset of each value */
    this.places = this.fillers.map(() => 0)
    /** Whether a chunked body has become empty: an empty chunk would end the message. */
    this.endsTooEarly = false
    // The bytes of a request with values of these sizes. A request with the same sizes is a copy with its own values.
    this.layout = this.lay()
  }

  /** Returns the bytes of one request. @type {(own: Own) => Buffer} */
  fill (own) {
    const { fillers, values, sizes, places } = this
    let fits = true
    for (let i = 0; i < fillers.length; i++) {
      const filler = fillers[i]
      let size
      if (typeof filler === 'function') size = Buffer.byteLength(values[i] = filler(own))
      else if (filler instanceof ColumnFiller) size = filler.measure(own)
      else continue
      if (size === sizes[i]) continue
      sizes[i] = size
      fits = false
    }
    const bytes = fits ? Buffer.from(this.layout) : (this.layout = this.lay())
    if (this.endsTooEarly) own.refused = 'the body is empty, and is sent in chunks'
    for (let i = 0; i < fillers.length; i++) {
      const filler = fillers[i]
      if (typeof filler === 'function') bytes.write(values[i], places[i])
      else if (filler !== null) filler.write(own, bytes, places[i])
    }
    return this.finish === null ? bytes : this.finish(bytes)
  }

  /** @returns {Buffer} the segments, with room for values between them, and the length of the body */
  lay () {
    const { segments, fillers, inside, sizes, places, radix } = this
    let { bodySize, segmentsSize: size } = this
    for (let i = 0; i < sizes.length; i++) {
      size += sizes[i]
      if (inside[i]) bodySize += sizes[i]
    }
    this.endsTooEarly = bodySize === 0 && radix === CHUNKED
    const length = this.hasLength ? bodySize.toString(radix) : ''
    const bytes = Buffer.allocUnsafe(size + length.length)
    bytes.set(segments[0])
    let at = segments[0].length
    for (let i = 0; i < fillers.length; i++) {
      places[i] = at
      at += fillers[i] === null ? bytes.write(length, at, 'latin1') : sizes[i]
      bytes.set(segments[i + 1], at)
      at += segments[i + 1].length
    }
    return bytes
  }
}

/**
 * @typedef {{ kind: string, number: number }} Mark
 * @param {Buffer} bytes with marks
 * @returns {{ segments: Buffer[], marks: Mark[] }} the bytes between marks: one segment more than marks
 */
function splitAtMarks (bytes) {
  const segments = []
  const marks = []
  let end = 0
  for (let at = bytes.indexOf(RANDOM); at !== -1; at = bytes.indexOf(RANDOM, end)) {
    segments.push(bytes.subarray(end, at))
    marks.push({
      kind: String.fromCharCode(bytes[at + RANDOM.length]),
      number: Number(bytes.toString('latin1', at + RANDOM.length + 1, at + MARK_LENGTH))
    })
    end = at + MARK_LENGTH
  }
  segments.push(bytes.subarray(end))
  return { segments, marks }
}

/** @param {Mark[]} marks */
function radixIn (marks) {
  return marks.find(({ kind }) => kind === LENGTH)?.number ?? 10
}

/**
 * @param {Request} request
 * @param {Target} target
 * @param {Encoding & { tags: ReadonlyArray<Tag>, trace?: import('./trace-parent').TraceParent | null, sharedValues?:
 *   import('./shared-values').SharedValues | null }} means
 * @param {boolean} [hasExpressions] whether {{…}} in its texts is a template
 * @param {Request | null} [literal] the request before a hook, with values in its texts: unchanged texts have no tags
 * @returns {Buffer | Template} a template when it has a tag or an expression
 */
function compileRequest (
  request, target, { encode, finish = null, tags, trace = null, sharedValues = null }, hasExpressions = false,
  literal = null
) {
  const traced = trace !== null && trace.isFor(request.headers)
  if (tags.length === 0 && !hasExpressions && !traced) return finished(encode(request, target), finish)
  /** @type {Array<TextFiller | FixedFiller | ColumnFiller>} */
  const fillers = tags.map(({ filler }) => filler)
  const given = hasExpressions
    ? markExpressions(request, /** @type {import('./shared-values').SharedValues} */ (sharedValues), fillers)
    : request
  const bare = withMarks(given, target, tags, literal)
  const marked = traced
    ? {
        ...bare,
        headers: [...bare.headers, /** @type {const} */ (['traceparent', markOf(OUTSIDE, fillers.push(trace) - 1)])]
      }
    : bare
  let bodySize = 0
  const bytes = encode(marked, target, marked.body === request.body
    ? undefined
    : (length, radix) => {
        bodySize = length
        return markOf(LENGTH, radix)
      })
  return bytes.includes(RANDOM) ? new Template(bytes, fillers, bodySize, finish) : finished(bytes, finish)
}

/** @type {(draft: Buffer, finish: Finish | null) => Buffer} */
const finished = (draft, finish) => finish === null ? draft : finish(draft)

/**
 * @param {Request} request
 * @param {import('./shared-values').SharedValues} sharedValues
 * @param {Array<TextFiller | FixedFiller | ColumnFiller>} fillers the fillers of its expressions are added to them
 * @returns {Request} with marks instead of expressions
 */
function markExpressions (request, sharedValues, fillers) {
  const { partsOfRequest, withTexts } = require('./fillers')
  return withTexts(request, partsOfRequest(request, sharedValues), (parts, inBody) =>
    parts.map(part =>
      typeof part === 'string' ? part : markOf(inBody ? INSIDE : OUTSIDE, fillers.push(part.column ?? part) - 1))
      .join(''))
}

/**
 * Returns the request with marks instead of tags; a body without a tag is kept.
 * @type {(request: Request, target: Target, tags: ReadonlyArray<Tag>, literal: Request | null) => Request}
 */
function withMarks ({ method, path, headers, body }, target, tags, literal) {
  /** @type {(text: string, kind: string) => string} */
  const mark = (text, kind) => tags.reduce((text, tag, i) => text.replaceAll(tag.text, markOf(kind, i)), text)
  /** @param {string} name @param {string} value */
  const isLiteral = (name, value) => literal !== null &&
    literal.headers.some(([one, other]) => one === name && other === value)
  /** @param {Uint8Array} bytes */
  const markBytes = bytes => {
    const text = Buffer.from(bytes).toString('latin1')
    const marked = mark(text, INSIDE)
    return marked === text ? bytes : Buffer.from(marked, 'latin1')
  }
  return {
    method,
    path: path === null
      ? tags.reduce((path, { inUrl }, i) => path.replace(inUrl, markOf(OUTSIDE, i)), target.path)
      : path === literal?.path
        ? path
        : mark(path, OUTSIDE),
    headers: headers.map(
      ([name, value]) => /** @type {const} */ ([name, isLiteral(name, value) ? value : mark(value, OUTSIDE)])
    ),
    body: body instanceof Uint8Array
      ? markBytes(body)
      : body === null || body === literal?.body
        ? body
        : mark(body, INSIDE)
  }
}

module.exports = { INSIDE, LENGTH, MARK_LENGTH, OUTSIDE, Template, compileRequest, markOf, radixIn, splitAtMarks }
