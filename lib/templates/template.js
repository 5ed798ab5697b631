'use strict'

// A request with parts that are known only when it is sent: fixed segments of bytes, and between them fillers with
// values of any length. It is independent of the protocol: a request is encoded with marks instead of values, and the
// bytes between the marks are the segments.

const { ColumnFiller } = require('./column-filler')

/**
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('../requests/target').Target} Target
 *
 * @typedef {import('./own').Own} Own the values for fillers
 * @typedef {(own: Own) => string} TextFiller gives the value for one request: one that may stand where it is put. A
 *   request that it can't give one to is refused, in `own.refused`
 * @typedef {{ size: number, write: (own: Own, bytes: Buffer, at: number) => void }} FixedFiller writes values of one
 *   size in bytes.
 *   It makes no string of each: with one, a request with an id takes 0.65 µs to fill, and without 0.3
 *
 * @typedef {object} Tag marks values in paths, values of headers, and bodies
 * @property {string} text
 * @property {RegExp} inUrl the text in a parsed URL
 * @property {TextFiller | FixedFiller} filler
 *
 * @typedef {(request: Request, target: Target, tellLength?: (length: number, radix: number) => string) => Buffer}
 *   Encode `tellLength` returns the field for the length of the body; the length itself by default. Returns a draft:
 *   bytes with marks for values
 * @typedef {(draft: Buffer) => Buffer} Finish completes the bytes of a draft that has all its values
 *
 * @typedef {object} Encoding how requests become bytes, which is the wire's
 * @property {Encode} encode
 * @property {Finish | null} [finish] null when a draft is complete
 */

// A mark is random, so that nothing else in a request is taken for it. A letter and five digits follow. It is no
// secret, and node:crypto takes 2 ms to load.
const random32 = () => Math.floor(Math.random() * 2 ** 32).toString(16).padStart(8, '0')
const RANDOM = Array.from({ length: 4 }, random32).join('')
const MARK_LENGTH = RANDOM.length + 6
/** A tag outside of the body, by its index. */
const OUTSIDE = 'a'
/** A tag in the body. */
const INSIDE = 'b'
/** The length of the body, by its radix. */
const LENGTH = 'c'

/** In which the size of a chunk is written. */
const CHUNKED = 16

/** @type {(kind: string, number: number) => string} */
const markOf = (kind, number) => RANDOM + kind + String(number).padStart(5, '0')

class Template {
  /**
   * @param {Buffer} bytes with marks
   * @param {ReadonlyArray<TextFiller | FixedFiller | ColumnFiller>} fillers by the number of their mark
   * @param {number} bodySize of the body with its marks
   * @param {Finish | null} finish
   */
  constructor (bytes, fillers, bodySize, finish) {
    this.finish = finish
    const { segments, marks } = splitAtMarks(bytes)
    /** One more than there are fillers. */
    this.segments = segments
    /** @type {Array<TextFiller | FixedFiller | ColumnFiller | null>} null for the length of the body */
    this.fillers = marks.map(({ kind, number }) => kind === LENGTH ? null : fillers[number])
    /** Whether the value of each filler is in the body. */
    this.inside = marks.map(({ kind }) => kind === INSIDE)
    /** In which the length of the body is written. */
    this.radix = radixIn(marks)
    /** Whether the length of the body is written, which is once at most. */
    this.tellsLength = this.fillers.includes(null)
    this.segmentsSize = segments.reduce((sum, { length }) => sum + length, 0)
    /** Bytes of the body in the segments. */
    this.bodySize = bodySize - MARK_LENGTH * this.inside.filter(Boolean).length
    /** @type {string[]} of the text fillers */
    this.values = this.fillers.map(() => '')
    /** @type {number[]} bytes of each value */
    this.sizes = this.fillers.map(filler =>
      filler === null || typeof filler === 'function' || filler instanceof ColumnFiller ? 0 : filler.size)
    /** @type {number[]} where each value begins */
    this.places = this.fillers.map(() => 0)
    /** Whether the body is sent in chunks and has become empty: an empty chunk would be the last one. */
    this.endsTooEarly = false
    // A request that has values of these sizes. The next one that has them, too, is a copy of it with its own values.
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

  /** @returns {Buffer} the segments, with room for the values between them; the length of the body is known */
  lay () {
    const { segments, fillers, inside, sizes, places, radix } = this
    let { bodySize, segmentsSize: size } = this
    for (let i = 0; i < sizes.length; i++) {
      size += sizes[i]
      if (inside[i]) bodySize += sizes[i]
    }
    this.endsTooEarly = bodySize === 0 && radix === CHUNKED
    const length = this.tellsLength ? bodySize.toString(radix) : ''
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
 * @returns {{ segments: Buffer[], marks: Mark[] }} the texts between the marks: one segment more than there are marks
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
 * @param {boolean} [hasExpressions] whether {{…}} in its texts, for values
 * @param {Request | null} [literal] with values in its texts: unchanged texts have no tags
 * @returns {Buffer | Template} a template when there is a tag in it, or an expression
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
 * @param {Array<TextFiller | FixedFiller | ColumnFiller>} fillers to which those of its expressions are added
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
 * Returns with marks instead of tags; its body is the same one when there is no tag in it.
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
