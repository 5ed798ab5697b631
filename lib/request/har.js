'use strict'

// Owns how the requests of a HAR file (HTTP Archive 1.2) become ours, by the origin that they go to.

const { toRequest } = require('./request')

/** What a browser records and a client has to say itself for each connection and request. */
const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'proxy-connection'])

/** @type {import('./request').Request} */
const NOTHING = { method: 'GET', path: '/', headers: [], body: null }

/**
 * @param {any} har parsed
 * @returns {Map<string, import('./request').Request[]>} by origin, in the order of the file
 * @throws {TypeError} that says what is wrong
 */
function requestsByOrigin (har) {
  const entries = har?.log?.entries
  if (!Array.isArray(entries)) throw new TypeError('this is not a HAR: expected an object with log.entries')
  /** @type {Map<string, import('./request').Request[]>} */
  const byOrigin = new Map()
  entries.forEach((entry, i) => {
    try {
      const url = new URL(entry.request.url)
      const requests = byOrigin.get(url.origin) ?? []
      byOrigin.set(url.origin, requests)
      requests.push(readRequest(entry.request, url))
    } catch (error) {
      throw new TypeError(`the HAR's log.entries[${i}] has no valid request: ${/** @type {Error} */ (error).message}`)
    }
  })
  return byOrigin
}

/**
 * @param {any} request
 * @param {URL} url
 */
function readRequest (request, url) {
  const headers = /** @type {Array<{ name: string, value: string }>} */ (request.headers ?? [])
    // Names with a colon are HTTP/2 pseudo-headers.
    .filter(({ name }) => !name.startsWith(':') && !OURS.has(name.toLowerCase()))
  /** @type {Record<string, string[]>} */
  const values = {}
  for (const { name, value } of headers) (values[name] ??= []).push(value)
  return toRequest({ method: request.method, path: url.pathname + url.search, headers: values, body: readBody(request.postData) }, NOTHING)
}

/** @param {any} postData */
function readBody (postData) {
  if (postData === undefined || postData === null) return undefined
  if (typeof postData.text === 'string') return postData.encoding === 'base64' ? Buffer.from(postData.text, 'base64') : postData.text
  if (Array.isArray(postData.params)) return new URLSearchParams(postData.params.map((/** @type {any} */ { name, value }) => [name, value ?? ''])).toString()
}

module.exports = { requestsByOrigin }
