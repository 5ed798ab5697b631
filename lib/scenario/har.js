'use strict'

// Owns how the requests of a HAR file (HTTP Archive 1.2) become ours, by the origin that they go to.

const { isRecord, show } = require('../foreign-text')
const { withoutUserinfo } = require('../secrets')
const { toRequest } = require('./request')
const { parseTarget } = require('./target')

/** Headers that depend on the connection and on how the body is framed: recorded ones are left out, and ours are sent. */
const OURS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'proxy-connection'])

/** @type {import('./request').Request} */
const NOTHING = { method: 'GET', path: '/', headers: [], body: null }

/**
 * The requests of a HAR by origin, in the order of the file.
 * @extends {Map<string, import('./request').Request[]>}
 */
class Recorded extends Map {
  /**
   * @param {string} url http:// may be left out
   * @returns {Recorded} the requests to its origin alone; all when there are none to it
   */
  only (url) {
    const { origin } = new URL(parseTarget(url).url)
    return this.has(origin) ? new Recorded([[origin, /** @type {any} */ (this.get(origin))]]) : this
  }
}

/**
 * @param {any} har parsed; or what this has made, as a pipe can't be read again
 * @returns {Recorded}
 * @throws {TypeError} that says what is wrong
 */
function requestsByOrigin (har) {
  if (har instanceof Recorded) return har
  const entries = har?.log?.entries
  if (!Array.isArray(entries)) throw new TypeError(`this is not a HAR: expected an object with log.entries, got ${show(har)}`)
  const byOrigin = new Recorded()
  entries.forEach((entry, i) => {
    try {
      if (!isRecord(entry?.request)) throw new TypeError(`expected an object with request, got ${show(entry)}`)
      if (!URL.canParse(entry.request.url)) throw new TypeError(`expected a request.url such as http://localhost:3000/path, got ${typeof entry.request.url === 'string' ? show(withoutUserinfo(entry.request.url)) : show(entry.request.url)}`)
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
  const headers = listOf(request.headers, 'headers')
    // Names with a colon are HTTP/2 pseudo-headers.
    .filter(({ name }) => !name.startsWith(':') && !OURS.has(name.toLowerCase()))
  /** @type {Record<string, string[]>} */
  const values = Object.create(null)
  for (const { name, value } of headers) (values[name] ??= []).push(value)
  return toRequest({ method: request.method, path: url.pathname + url.search, headers: values, body: readBody(request.postData) }, NOTHING)
}

/** @param {any} postData */
function readBody (postData) {
  if (postData === undefined || postData === null) return undefined
  if (!isRecord(postData)) throw new TypeError(`expected request.postData to be an object, got a ${typeof postData}`)
  if (typeof postData.text === 'string') return postData.encoding === 'base64' ? Buffer.from(postData.text, 'base64') : postData.text
  const params = listOf(postData.params, 'postData.params')
  return params.length === 0 ? undefined : new URLSearchParams(params.map(({ name, value }) => [name, String(value ?? '')])).toString()
}

/**
 * @param {unknown} given
 * @param {string} what
 * @returns {Array<{ name: string, value: any }>}
 */
function listOf (given, what) {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) throw new TypeError(`expected request.${what} to be an array, got ${show(given)}`)
  for (const one of given) {
    if (!isRecord(one) || typeof one.name !== 'string') throw new TypeError(`expected request.${what} to have objects with name and value, got ${show(one)}`)
  }
  return given
}

module.exports = { requestsByOrigin }
