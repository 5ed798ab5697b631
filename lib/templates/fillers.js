'use strict'

// The values of {{…}} in a request, and their encoding: percent-encoded in a path, escaped in a JSON string,
// form-encoded in a form. In a header they must have no line break. expression.js has the syntax, and template.js
// inserts the bytes.

const { randomUUID } = require('node:crypto')
const { wallNow } = require('../core/clock')
const { ColumnFiller } = require('./column-filler')
const { withoutDotSegments } = require('./dot-segments')
const { isFieldValue } = require('../requests/headers')
const { escapeTemplate, hasExpression, parseTemplate } = require('../requests/expression')
const { stringify, withTexts: withNumberTexts } = require('../requests/json-numbers')
const { numberTextAt, parseJsonPath, valueAt } = require('../requests/json-path')
const { mapTexts } = require('../requests/request')

/**
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('./own').Own} Own
 * @typedef {import('../requests/expression').Expression} Expression
 * @typedef {import('./template').TextFiller} TextFiller
 * @typedef {TextFiller & { column?: ColumnFiller }} Filler column: writes the same value as bytes
 * @typedef {string | Filler} Part a part of a text: constant, or a value for each request
 *
 * @typedef {(value: string, own: Own, expression: Expression) => string} Escape escapes a value for its place
 * @typedef {import('./shared-values').SharedValues} SharedValues
 */

/** Characters that need no encoding in a path or a query. */
const PLAIN_IN_PATH = /^[\w.~@:-]*$/

/** @type {Escape} */
function inPath (value) {
  return PLAIN_IN_PATH.test(value)
    ? value
    : wellFormed(value).replace(/[^\w.~@:-]+/g, found => encodeURIComponent(found))
}

/**
 * A value that is a whole path segment: `.` and `..` would lead to another path, in any encoding (WHATWG URL).
 * @type {Escape}
 */
function inSegment (value, own, expression) {
  return value === '.' || value === '..'
    ? refuse(own, `{{${expression.text}}} is ${value} and a whole segment of a path, which leads to another one`)
    : inPath(value, own, expression)
}

/** Returns the text without lone surrogates, which cannot be encoded. @type {(text: string) => string} */
function wellFormed (text) {
  return SURROGATE.test(text) ? Buffer.from(text).toString() : text
}

const SURROGATE = /[\ud800-\udfff]/

/**
 * A raw value in a path: only spaces, `#` and non-ASCII characters are encoded, which a request target cannot have.
 * @type {Escape}
 */
function rawInPath (value, own, { text }) {
  if (!isFieldValue(value)) return refuse(own, `{{{${text}}}} has a line break or a NUL, and is in a path`)
  return value.replace(/[^\x21\x22\x24-\x7e]+/g, found => encodeURIComponent(wellFormed(found)))
}

/** A raw value that is the whole path: a path, or a URL with one. A fragment is not sent. @type {Escape} */
function rawPath (value, own, expression) {
  return rawInPath(
    isFieldValue(value) ? value.replace(/^(?:https?:\/\/[^/?#]*)?\/?/i, '').replace(/#.*$/s, '') : value,
    own,
    expression
  )
}

/** @type {Escape} */
function inHeader (value, own, { text }) {
  return isFieldValue(value)
    ? value
    : refuse(own, `{{${text}}} has a line break or a NUL, and is in a header`)
}

/** Characters that a JSON string escapes, and lone surrogates. */
// eslint-disable-next-line no-control-regex
const SPECIAL_IN_JSON = /["\\\0-\x1f\ud800-\udfff]/

/** @type {Escape} */
function inJson (value) {
  return SPECIAL_IN_JSON.test(value) ? JSON.stringify(value).slice(1, -1) : value
}

const PLAIN_IN_FORM = /^[\w.*-]*$/

/** As the URL standard serializes application/x-www-form-urlencoded. @type {Escape} */
function inForm (value) {
  return PLAIN_IN_FORM.test(value)
    ? value
    : encodeURIComponent(wellFormed(value))
      .replace(/[!'()~]/g, found => '%' + found.charCodeAt(0).toString(16).toUpperCase())
      .replaceAll('%20', '+')
}

/** @type {Escape} */
const asIs = value => value

/** @param {Own} own @param {string} reason why the request can't be sent */
function refuse (own, reason) {
  own.refused ??= reason
  return ''
}

/**
 * Returns a function for its value, without encoding.
 * @type {(expression: Expression, sharedValues: SharedValues) => TextFiller}
 */
function readerOf ({ kind, text, args }, sharedValues) {
  switch (kind) {
    case 'literal':
      return () => text
    case 'id':
      return ({ ids }) => ids.next()
    case 'uuid':
      return () => randomUUID()
    case 'counter': {
      const { counter } = sharedValues
      return () => {
        const { next } = counter
        counter.next += counter.step
        return String(next)
      }
    }
    case 'now':
      return () => String(wallNow())
    case 'random': {
      const [from, to] = args.map(Number)
      return own => String(from + Math.floor(own.random() * (to - from + 1)))
    }
    case 'pick':
      return own => args[Math.floor(own.random() * args.length)]
    case 'env': {
      const value = sharedValues.env[args[0]]
      return () => value
    }
    case 'value':
      return sharedValues.sources.readerOf(text) ?? valueReader(text, placeOf(text, sharedValues))
    case 'element':
      return elementReader(text, placeOf(args[0], sharedValues))
  }
}

/**
 * @typedef {object} Place where a value is found
 * @property {(own: Own) => any} root the object or array in which the path begins
 * @property {import('../requests/json-path').Step[]} steps that lead to the value
 *
 * @param {string} path such as token, user.name, items[0].id or users.address.city
 * @param {SharedValues} sharedValues
 * @returns {Place}
 */
function placeOf (path, { sources }) {
  const found = sources.find(path)
  if (found === null) return { root: own => own.context, steps: parseJsonPath(path) }
  const { source, column, steps } = found
  const rows = sources.rows[source]
  return {
    root (own) {
      const json = `[${rows.json(own.rows[source], column)}]`
      return withNumberTexts(json, JSON.parse(json))
    },
    steps: ['0', ...steps]
  }
}

/** @param {string} text of the expression @param {Place} place @returns {TextFiller} */
function valueReader (text, { root, steps }) {
  const nothing = `{{${text}}} has no value: nothing in the context of the iteration gives one`
  return own => valueText(root(own), steps) ?? refuse(own, nothing)
}

/**
 * @param {string} text of the expression
 * @param {Place} place of a list
 * @returns {TextFiller} for a random element of the list
 */
function elementReader (text, { root, steps }) {
  const nothing = `{{${text}}} has nothing to pick from: the value is no list, or an empty one`
  return own => {
    const list = valueAt(root(own), steps)
    if (!Array.isArray(list) || list.length === 0) return refuse(own, nothing)
    return valueText(list, [String(Math.floor(own.random() * list.length))]) ?? refuse(own, nothing)
  }
}

/**
 * @param {any} json the object or array with the value
 * @param {import('../requests/json-path').Step[]} steps that lead to it
 * @returns {string | undefined} undefined for a value without a text, such as a function
 */
function valueText (json, steps) {
  const value = valueAt(json, steps)
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return undefined
  try {
    if (typeof value === 'object') return stringify(value)
    return typeof value === 'function' || typeof value === 'symbol'
      ? undefined
      : typeof value === 'number'
        ? numberTextAt(json, steps, value)
        : String(value)
  } catch {
    return undefined
  }
}

/**
 * @param {string} text
 * @param {SharedValues} sharedValues
 * @param {(expression: Expression, i: number) => Escape} escapeOf for each part that is an expression
 * @returns {Part[]}
 */
function partsOf (text, sharedValues, escapeOf) {
  if (!hasExpression(text)) return [text]
  return parseTemplate(text).map((part, i) => {
    if (typeof part === 'string') return part
    const read = readerOf(part, sharedValues)
    const escape = part.kind === 'literal' ? asIs : escapeOf(part, i)
    /** @type {Filler} */
    const filler = escape === asIs ? own => read(own) : own => escape(read(own), own, part)
    const found = part.kind === 'value' ? sharedValues.sources.find(part.text) : null
    const plain = PLAIN.get(escape)
    if (found !== null && found.steps.length === 0 && plain !== undefined) {
      filler.column = new ColumnFiller(
        sharedValues.sources.rows[found.source], found.source, found.column, plain, filler
      )
    }
    return filler
  })
}

/** Returns 1 at the index of each byte that passes. @type {(isPlain: (byte: number) => boolean) => Uint8Array} */
function bytesThat (isPlain) {
  return Uint8Array.from({ length: 256 }, (_, byte) => Number(isPlain(byte)))
}

/** The UTF-8 bytes that each of these functions leaves unchanged. @type {Map<Escape, Uint8Array>} */
const PLAIN = new Map([
  [inPath, bytesThat(byte => byte < 128 && PLAIN_IN_PATH.test(String.fromCharCode(byte)))],
  [inSegment, bytesThat(byte => byte < 128 && byte !== 0x2e && PLAIN_IN_PATH.test(String.fromCharCode(byte)))],
  [rawInPath, bytesThat(byte => byte > 0x20 && byte < 0x7f && byte !== 0x23)],
  [inHeader, bytesThat(byte => byte !== 13 && byte !== 10 && byte !== 0)],
  [inJson, bytesThat(byte => byte > 0x1f && byte !== 0x22 && byte !== 0x5c)],
  [inForm, bytesThat(byte => byte < 128 && PLAIN_IN_FORM.test(String.fromCharCode(byte)))],
  [asIs, bytesThat(() => true)]
])

/** @type {(path: string, sharedValues: SharedValues) => Part[]} */
function partsOfPath (path, sharedValues) {
  const isWhole = path.startsWith('/{{{')
  const parts = hasExpression(path) ? parseTemplate(path) : []
  const textAt = (/** @type {number} */ i) => typeof parts[i] === 'string' ? String(parts[i]) : ''
  const queryAt = parts.findIndex(part => typeof part === 'string' && part.includes('?'))
  /** @param {number} i */
  const isSegment = i => (queryAt === -1 || i < queryAt) && textAt(i - 1).endsWith('/') &&
    (i + 1 === parts.length || /^[/?]/.test(textAt(i + 1)))
  const isRaw = (/** @type {number} */ i) => typeof parts[i] === 'object' && parts[i].raw
  const fillers = partsOf(path, sharedValues, ({ raw }, i) =>
    !raw ? isSegment(i) ? inSegment : inPath : isWhole && i === 1 ? rawPath : rawInPath)
  // A single raw value may be any path: dots in it lead out of nothing.
  if (isWhole && !parts.some((part, i) => i > 1 && typeof part === 'object' && (queryAt === -1 || i < queryAt))) {
    return fillers
  }
  return withoutDotSegments(fillers, i => isRaw(i) ? 'raw' : isSegment(i) ? 'checked' : 'encoded', own =>
    refuse(own, 'values make a path segment . or .., which leads to another path'))
}

/** @param {string} value of a header @param {SharedValues} sharedValues */
function partsOfHeader (value, sharedValues) {
  return partsOf(value, sharedValues, () => inHeader)
}

/** @param {string} text in which values are inserted without encoding @param {SharedValues} sharedValues */
function partsOfText (text, sharedValues) {
  return partsOf(text, sharedValues, () => asIs)
}

/** @param {string} body @param {string} type its content type, in lower case @param {SharedValues} sharedValues */
function partsOfBody (body, type, sharedValues) {
  if (!hasExpression(body)) return [body]
  if (type.includes('x-www-form-urlencoded')) return partsOf(body, sharedValues, ({ raw }) => raw ? asIs : inForm)
  const inside = insideStrings(body, type)
  return partsOf(body, sharedValues, ({ raw }, i) => !raw && inside.has(i) ? inJson : asIs)
}

/**
 * @param {string} body
 * @param {string} type its content type, in lower case
 * @returns {Set<number>} the indexes of parts inside of a JSON string; none when the body is not JSON
 */
function insideStrings (body, type) {
  const parts = parseTemplate(body)
  const inside = new Set()
  const [first] = parts
  if (!type.includes('json') && !(typeof first === 'string' && /^\s*[{[]/.test(first))) return inside
  let within = false
  for (const [i, part] of parts.entries()) {
    if (typeof part !== 'string') {
      if (within) inside.add(i)
      continue
    }
    for (let at = 0; at < part.length; at++) {
      if (part[at] === '"') within = !within
      else if (part[at] === '\\' && within) at++
    }
  }
  return inside
}

/**
 * @typedef {object} Parts the texts of a request in parts
 * @property {Part[] | null} path
 * @property {Array<readonly [name: string, parts: Part[]]>} headers
 * @property {Part[] | null} body null for a body without an expression
 *
 * @param {Request} request with texts that are templates; a body of bytes is none
 * @param {SharedValues} sharedValues
 * @returns {Parts}
 */
function partsOfRequest ({ path, headers, body }, sharedValues) {
  const type = (headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '').toLowerCase()
  return {
    path: path === null ? null : partsOfPath(path, sharedValues),
    headers: headers.map(([name, value]) => [name, partsOfHeader(value, sharedValues)]),
    body: typeof body === 'string' && hasExpression(body) ? partsOfBody(body, type, sharedValues) : null
  }
}

/**
 * @param {Request} request
 * @param {Parts} parts of it
 * @param {(parts: Part[], inBody: boolean) => string} join
 * @returns {Request} with joined texts; a body without an expression is kept
 */
function withTexts ({ method, body: given }, { path, headers, body }, join) {
  return {
    method,
    path: path === null ? null : join(path, false),
    headers: headers.map(([name, value]) => /** @type {const} */ ([name, join(value, false)])),
    body: body === null ? given : join(body, true)
  }
}

/** @type {(parts: Part[], own: Own) => string} */
function fillText (parts, own) {
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : part(own)
  return text
}

/**
 * @param {Request} request
 * @param {SharedValues} sharedValues
 * @param {ReadonlyArray<import('./template').Tag>} tags that mark ids in its texts; tags in values are literal
 * @param {boolean} isUrl whether the path comes from a parsed URL
 * @returns {(own: Own) => Request} it with values
 */
function requestMaker (request, sharedValues, tags, isUrl) {
  const parts = partsOfRequest(tags.length === 0 ? request : withIds(request, tags, isUrl), sharedValues)
  return own => withTexts(request, parts, texts => fillText(texts, own))
}

/**
 * @param {ReadonlyArray<string | Uint8Array>} parts of a body: texts are templates
 * @param {SharedValues} sharedValues
 * @returns {(own: Own) => Buffer} it with values
 */
function bodyMaker (parts, sharedValues) {
  const all = parts.map(part => typeof part === 'string' ? partsOfText(part, sharedValues) : part)
  return own => Buffer.concat(all.map(part => Array.isArray(part) ? Buffer.from(fillText(part, own)) : part))
}

/**
 * @param {Request} request
 * @param {ReadonlyArray<import('./template').Tag>} tags
 * @param {boolean} isUrl as above
 * @returns {Request} with `{{id}}` instead of tags
 */
function withIds (request, tags, isUrl) {
  const inText = (/** @type {string} */ text) => tags.reduce((text, tag) => text.replaceAll(tag.text, '{{id}}'), text)
  const inUrl = (/** @type {string} */ path) => tags.reduce((path, { inUrl }) => path.replace(inUrl, '{{id}}'), path)
  return mapTexts(request, { path: isUrl ? inUrl : inText, header: inText, body: inText })
}

/**
 * Escapes the parts of a request that a hook has changed: only unchanged parts are templates.
 * @type {(before: Request, after: Request) => Request}
 */
function editTemplates (before, after) {
  return mapTexts(after, {
    path: path => path === before.path ? path : escapeTemplate(path),
    header: (value, name) =>
      before.headers.some(([one, template]) => one === name && template === value) ? value : escapeTemplate(value),
    body: body => body === before.body ? body : escapeTemplate(body)
  })
}

module.exports = {
  bodyMaker, editTemplates, fillText, partsOfBody, partsOfRequest, partsOfText, requestMaker, withTexts
}
