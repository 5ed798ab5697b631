'use strict'

// The second argument of http.stream(), beside the options of requests.

const { isRecord, show } = require('../core/foreign-text')
const { suggestOf } = require('../core/suggest')
const { missingIn } = require('../requests/completion')
const { KEYS, msOf } = require('./requests/request-options')

const OWN = ['stream', 'method', 'idleTimeout']
/** Of a response as a whole. @type {Readonly<Record<string, string>>} */
const OF_WHOLE = Object.freeze({
  check: 'check events in the loop, as in check(event, { … })',
  capture: 'read values of events in the loop, such as event.json(\'id\')',
  compressed: 'events of a compressed response are not read'
})
/** Keys of `expect` about a whole response. */
const OF_BODIES = ['body', 'json', 'maxBytes', 'events']
const LONGEST = 2_000_000
const KINDS = ['sse', 'ndjson', 'chunks', 'openai']

/**
 * @typedef {object} StreamOptions
 * @property {string | null} kind null for that of the Content-Type
 * @property {string} method
 * @property {number | null} idleMs null for that of the run
 * @property {Record<string, any> | undefined} rest the options of a request; undefined for none
 */

/**
 * @param {any} given
 * @returns {StreamOptions}
 * @throws {TypeError}
 */
function readStreamOptions (given) {
  if (given === undefined) return { kind: null, method: 'GET', idleMs: null, rest: undefined }
  if (!isRecord(given)) throw new TypeError(`expected an object of options, got ${show(given)}`)
  const { stream, idleTimeout, method = stream === 'openai' ? 'POST' : 'GET', ...rest } =
    /** @type {Record<string, any>} */ (given)
  for (const key of Object.keys(rest)) {
    if (Object.hasOwn(OF_WHOLE, key)) {
      if (rest[key] !== undefined) throw new TypeError(`${key}: ${OF_WHOLE[key]}`)
      delete rest[key]
    } else if (!KEYS.includes(key)) {
      throw new TypeError(`unknown option ${show(key)}${suggestOf(key, [...OWN, ...KEYS])}`)
    }
  }
  if (stream !== undefined && !KINDS.includes(stream)) {
    throw new TypeError(`stream: expected ${KINDS.map(kind => `'${kind}'`).join(', ')}, got ${show(stream)}`)
  }
  if (String(method).toUpperCase() === 'HEAD') throw new TypeError('method: a response to HEAD has no body')
  const whole = OF_BODIES.find(key => isRecord(rest.expect) && rest.expect[key] !== undefined)
  if (whole !== undefined) {
    throw new TypeError(`expect.${whole}: a function reads events one by one: check them in the loop`)
  }
  if (stream === 'openai' && isRecord(rest.json)) rest.json = { ...rest.json, ...missingIn(rest.json) }
  return { kind: stream ?? null, method, idleMs: msOf('idleTimeout', idleTimeout, LONGEST), rest }
}

module.exports = { readStreamOptions }
