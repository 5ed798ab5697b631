'use strict'

// Reads other forms of the path and the body of a request: a URL of another origin, a JSON value, and the fields of a
// form.

const { isRecord, show } = require('../../core/foreign-text')
const { redactedUrl } = require('../../core/secrets')
const { hasExpression, parseTemplate } = require('../../requests/expression')
const { parseHeaders } = require('../../requests/headers')
const { within } = require('../../requests/place')

/**
 * @typedef {Record<string, any>} Entry
 *
 * @typedef {object} Multipart a body with templates
 * @property {ReadonlyArray<string | Uint8Array>} parts bytes, and texts that are templates between them
 */

/** A mark that the text of a field or value replaces. It is random, so that no body contains it. */
const MARK = `field-${Math.random().toString(36).slice(2)}-`

/** @param {unknown} value */
const isGiven = value => value !== undefined && value !== null

/**
 * @param {Entry} entry a copy, which is changed
 * @returns {Entry} the same with a path and a body
 * @throws {TypeError} with the place and the problem
 */
function withForms (entry) {
  const bodies = ['body', 'json', 'form', 'multipart'].filter(key => isGiven(entry[key]))
  if (bodies.length > 1) throw new TypeError(`${bodies.join(' and ')} each give a body: use one of them`)
  if (isGiven(entry.url)) within('.url', () => readUrl(entry))
  if (isGiven(entry.json)) {
    entry.body = within('.json', () => jsonBody(entry.json))
    withType(entry, 'application/json')
  }
  if (isGiven(entry.form)) {
    entry.body = within('.form', () => formBody(entry.form))
    withType(entry, 'application/x-www-form-urlencoded')
  }
  if (isGiven(entry.multipart)) within('.multipart', () => readMultipart(entry))
  return entry
}

/** @param {Entry} entry */
function readUrl (entry) {
  const { url, path } = entry
  const [, origin, rest] = typeof url === 'string' ? /^(https?:\/\/[^/?#]+)([^#]*)/is.exec(url) ?? [] : []
  if (origin === undefined || hasExpression(origin) || !URL.canParse(origin)) {
    throw new TypeError('expected a URL such as https://auth.example/userinfo, whose origin is no template, got ' +
      show(typeof url === 'string' ? redactedUrl(url) : url))
  }
  if (new URL(origin).username !== '') {
    throw new TypeError('expected a URL without a user name and a password: give the header authorization')
  }
  if (isGiven(path)) throw new TypeError('url and path each say where the request goes: use one of them')
  entry.path = rest === '' ? '/' : rest.startsWith('/') ? rest : `/${rest}`
}

/** @type {(entry: Entry, type: string) => void} */
function withType (entry, type) {
  entry.method ??= 'POST'
  const headers = isGiven(entry.headers) ? within('.headers', () => parseHeaders(entry.headers)) : []
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) headers.push(['Content-Type', type])
  entry.headers = Object.fromEntries(
    headers.map(([name]) => [name, headers.filter(([other]) => other === name).map(([, value]) => value)])
  )
}

/** @param {unknown} given */
function jsonBody (given) {
  /** @type {string[]} */
  const texts = []
  const body = jsonText(given, (_, value) => {
    if (typeof value !== 'string' || !hasExpression(value)) return value
    return MARK + (texts.push(value) - 1) + ';'
  })
  return texts.reduce((text, value, i) => text.replace(`"${MARK}${i};"`, () => jsonTemplate(value)), body)
}

/** @type {(given: unknown, replacer: (key: string, value: unknown) => unknown) => string} */
function jsonText (given, replacer) {
  let text
  try {
    text = JSON.stringify(given, replacer)
  } catch (error) {
    // The value has a BigInt or a cycle.
    if (!(error instanceof TypeError)) throw error
  }
  if (text === undefined) throw new TypeError(`expected a value that JSON has, got ${show(given)}`)
  return text
}

/** Only constant parts are escaped, because an expression may contain quotes. @param {string} text */
function jsonTemplate (text) {
  const parts = parseTemplate(text)
  const [only] = parts
  if (parts.length === 1 && typeof only !== 'string' && only.kind !== 'literal' && only.raw) return asWritten(only)
  return `"${parts.map(part => {
    if (typeof part === 'string') return escaped(part)
    return part.kind === 'literal' ? escaped(part.text).replaceAll('{', '\\u007b') : asWritten(part)
  }).join('')}"`
}

/** @param {string} text */
const escaped = text => JSON.stringify(text).slice(1, -1)

/** @param {{ text: string, raw: boolean }} expression */
const asWritten = ({ text, raw }) => raw ? `{{{${text}}}}` : `{{${text}}}`

/** @param {unknown} given */
function formBody (given) {
  if (!isRecord(given)) throw new TypeError(`expected an object of names and values, got ${show(given)}`)
  return Object.entries(given).flatMap(([name, value]) => within(`.${name}`, () =>
    [value].flat().filter(isGiven).map(one => `${encoded(name)}=${encodedTemplate(textOf(one))}`))).join('&')
}

/** @param {unknown} value of a field */
function textOf (value) {
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value)
  throw new TypeError(`expected a text, a number, true or false, or a list of them, got ${show(value)}`)
}

/** As the URL standard serializes application/x-www-form-urlencoded. @param {string} text */
function encoded (text) {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

/** @param {string} text expressions are kept: their values are encoded when they are filled */
function encodedTemplate (text) {
  if (!hasExpression(text)) return encoded(text)
  return parseTemplate(text).map(part => {
    if (typeof part === 'string') return encoded(part)
    return part.kind === 'literal' ? encoded(part.text) : asWritten(part)
  }).join('')
}

/** @param {Entry} entry */
function readMultipart (entry) {
  const { multipart: given } = entry
  if (!isRecord(given)) throw new TypeError(`expected an object of fields, got ${show(given)}`)
  /** @type {string[]} */
  const texts = []
  const fields = Object.fromEntries(Object.entries(given).map(([name, field]) => {
    const one = isRecord(field) ? field : { type: 'text', value: textOf(field) }
    if (typeof one.path === 'string' && hasExpression(one.path)) {
      throw new TypeError(`the file of field ${show(name)} is read before the run, so its path is no template: ` +
        'expected the path of a file; a user function sends another file each time, as in ' +
        'http.post(url, { multipart: { file: { type: \'file\', path: data.photos.file } } })')
    }
    if (typeof one.value !== 'string' || !hasExpression(one.value)) return [name, one]
    parseTemplate(one.value)
    return [name, { ...one, value: MARK + (texts.push(one.value) - 1) + ';' }]
  }))
  const { body, contentType } = require('../../requests/multipart').buildForm(fields)
  withType(entry, contentType)
  entry.multipart = texts.length === 0 ? undefined : { parts: partsOf(body, texts) }
  if (texts.length === 0) entry.body = body
}

/** @type {(body: Buffer, texts: string[]) => Multipart['parts']} */
function partsOf (body, texts) {
  const parts = []
  let from = 0
  for (const [i, text] of texts.entries()) {
    const mark = `${MARK}${i};`
    const at = body.indexOf(mark, from)
    parts.push(body.subarray(from, at), text)
    from = at + mark.length
  }
  return [...parts, body.subarray(from)]
}

module.exports = { withForms }
