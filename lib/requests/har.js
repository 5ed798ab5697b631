'use strict'

// Converts the requests of a HAR file (HTTP Archive 1.2), grouped by origin.

const { cut, isRecord, printable, show } = require('../core/foreign-text')
const { withoutUserinfo } = require('../core/secrets')
const { toRequest } = require('./request')
const { parseTarget } = require('./target')

/**
 * Headers that depend on the connection and on the framing of the body. The recorded ones are dropped, and the client
 * sends its own.
 */
const OURS = new Set([
  'host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'proxy-connection', 'te',
  'http2-settings'
])

/** @type {import('./request').Request} */
const NOTHING = { method: 'GET', path: '/', headers: [], body: null }

/** The limit of a page's name. */
const LONGEST_NAME = 100

/**
 * @typedef {object} Entry
 * @property {import('./request').Request} request
 * @property {number} startedAt ms since 1970; NaN if absent
 * @property {string | null} page the name of its page
 */

/** The requests of a HAR by origin, in the order of the file. @extends {Map<string, Entry[]>} */
class Recorded extends Map {
  /** @type {string | null} the problem of the first entry without a time; null when all have one */
  untimed = null

  /**
   * @param {string} url http:// may be left out
   * @returns {Recorded} only the requests to its origin; all requests when none match
   */
  only (url) {
    const { origin } = new URL(parseTarget(url).url)
    if (!this.has(origin)) return this
    const only = new Recorded([[origin, /** @type {any} */ (this.get(origin))]])
    only.untimed = this.untimed
    return only
  }

  /** @returns {Set<string>} the names of all pages */
  get pages () {
    return new Set([...this.values()].flat().flatMap(({ page }) => page ?? []))
  }
}

/**
 * @param {any} har a parsed HAR, or the result of an earlier call, because a pipe cannot be read twice
 * @throws {TypeError} with the problem
 */
function requestsByOrigin (har) {
  if (har instanceof Recorded) return har
  const entries = har?.log?.entries
  if (!Array.isArray(entries)) {
    throw new TypeError(`this is not a HAR: expected an object with log.entries, got ${show(har)}`)
  }
  const byOrigin = new Recorded()
  const pages = namesOfPages(har.log.pages)
  entries.forEach((entry, i) => {
    try {
      if (!isRecord(entry?.request)) throw new TypeError(`expected an object with request, got ${show(entry)}`)
      if (!URL.canParse(entry.request.url)) {
        const { url } = entry.request
        throw new TypeError('expected a request.url such as http://localhost:3000/path, got ' +
          show(typeof url === 'string' ? withoutUserinfo(url) : url))
      }
      const url = new URL(entry.request.url)
      const requests = byOrigin.get(url.origin) ?? []
      byOrigin.set(url.origin, requests)
      const startedAt = typeof entry.startedDateTime === 'string' ? Date.parse(entry.startedDateTime) : NaN
      if (Number.isNaN(startedAt)) {
        byOrigin.untimed ??= `the HAR's log.entries[${i}] has no valid startedDateTime: ` +
        `expected a time such as 2026-01-31T12:00:00.250Z, got ${show(entry.startedDateTime)}`
      }
      requests.push({ request: readRequest(entry.request, url), startedAt, page: pages.get(entry.pageref) ?? null })
    } catch (error) {
      throw new TypeError(`the HAR's log.entries[${i}] has no valid request: ${/** @type {Error} */ (error).message}`)
    }
  })
  return byOrigin
}

/**
 * @param {unknown} pages
 * @returns {Map<unknown, string>} names by page id: the title (in Chrome the URL of the page), or else the id
 */
function namesOfPages (pages) {
  /** @type {Map<unknown, string>} */
  const names = new Map()
  for (const page of Array.isArray(pages) ? pages.filter(isRecord) : []) {
    const name = [page.title, page.id].map(nameOf).find(name => name !== '')
    if (name !== undefined) names.set(page.id, name)
  }
  return names
}

/** Returns one line without the query, which may contain secrets. @type {(text: unknown) => string} */
function nameOf (text) {
  if (typeof text !== 'string') return ''
  const shown = /^[a-z]+:\/\//i.test(text) ? withoutUserinfo(text).replace(/[?#].*/s, '') : text
  return cut(printable(shown.trim()), LONGEST_NAME)
}

/**
 * Adds the recorded gaps between requests.
 * @param {Entry[]} entries with a time
 * @param {number} speed
 * @returns {Array<Entry & { pause: number }>} sorted by time, with ms since the previous request
 */
function withPauses (entries, speed) {
  const sorted = [...entries].sort((a, b) => a.startedAt - b.startedAt)
  return sorted.map(
    (entry, i) => ({ ...entry, pause: i === 0 ? 0 : (entry.startedAt - sorted[i - 1].startedAt) / speed })
  )
}

/** @param {any} request @param {URL} url */
function readRequest (request, url) {
  const headers = listOf(request.headers, 'headers')
    // Names with a colon are HTTP/2 pseudo-headers.
    .filter(({ name }) => !name.startsWith(':') && !OURS.has(name.toLowerCase()))
  /** @type {Record<string, string[]>} */
  const values = Object.create(null)
  for (const { name, value } of headers) (values[name] ??= []).push(value)
  if (request.method !== undefined && typeof request.method !== 'string') {
    throw new TypeError(`expected request.method to be a text such as GET, got ${show(request.method)}`)
  }
  return toRequest(
    { method: request.method, path: url.pathname + url.search, headers: values, body: readBody(request.postData) },
    NOTHING
  )
}

/** @param {any} postData */
function readBody (postData) {
  if (postData === undefined || postData === null) return undefined
  if (!isRecord(postData)) throw new TypeError(`expected request.postData to be an object, got a ${typeof postData}`)
  const { text, encoding } = postData
  for (const [name, value] of Object.entries({ text, encoding })) {
    if (typeof (value ?? '') !== 'string') {
      throw new TypeError(`expected request.postData.${name} to be a text, got ${show(value)}`)
    }
  }
  if (typeof text === 'string') return encoding === 'base64' ? Buffer.from(text, 'base64') : text
  const params = listOf(postData.params, 'postData.params')
  for (const { name, value } of params) {
    if (typeof (value ?? '') === 'object') {
      throw new TypeError(
        `expected the value of ${show(name)} in request.postData.params to be a text, got ${show(value)}`
      )
    }
  }
  return params.length === 0
    ? undefined
    : new URLSearchParams(params.map(({ name, value }) => [name, String(value ?? '')])).toString()
}

/** @type {(given: unknown, what: string) => Array<{ name: string, value: any }>} */
function listOf (given, what) {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) throw new TypeError(`expected request.${what} to be an array, got ${show(given)}`)
  for (const one of given) {
    if (!isRecord(one) || typeof one.name !== 'string') {
      throw new TypeError(`expected request.${what} to have objects with name and value, got ${show(one)}`)
    }
  }
  return given
}

module.exports = { requestsByOrigin, withPauses }
