'use strict'

// The second argument of http.get() and the like.

const { isRecord, printable, show } = require('../../core/foreign-text')
const { parseSeconds, toNumber } = require('../../core/numbers')
const { basicAuthorization, redactedText } = require('../../core/secrets')
const { nearest, suggestOf } = require('../../core/suggest')
const { isFieldValue } = require('../../requests/headers')

const MOST_REDIRECTS = 100
/** A timeout, s. */
const LONGEST = 86_400

/** Each gives a body: one of them. */
const BODIES = Object.freeze(/** @type {const} */ (['body', 'json', 'form', 'multipart']))

/** One object shape for all, as values are read at each request; `undefined` for none. */
class RequestOptions {
  /** How many keys of `BODIES` are present, perhaps without a value. */
  bodies = 0
  /** @type {any} */
  headers = undefined
  /** @type {any} */
  body = undefined
  /** @type {any} */
  json = undefined
  /** @type {any} */
  form = undefined
  /** @type {any} */
  multipart = undefined
  /** @type {any} */
  query = undefined
  /** @type {any} */
  auth = undefined
  /** @type {any} */
  name = undefined
  /** @type {any} */
  expect = undefined
  /** @type {any} */
  check = undefined
  /** @type {any} */
  capture = undefined
  /** @type {any} */
  timeout = undefined
  /** @type {any} */
  redirects = undefined
  /** @type {any} */
  retries = undefined
  /** @type {any} */
  compressed = undefined
}

const KEYS = Object.keys(new RequestOptions()).filter(key => key !== 'bodies')

const KNOWN = new Set(KEYS)
const IS_BODY = new Set(/** @type {ReadonlyArray<string>} */ (BODIES))

/** Option names of other tools. @type {Readonly<Record<string, string>>} */
const OF_OTHERS = Object.freeze({
  params: 'what follows ? in a URL is query', searchParams: 'what follows ? in a URL is query',
  tags: 'what a request is called in the results is name', data: 'use body, json or form',
  responseType: 'a response has text, json() and body', method: 'use http.request(method, path, options)'
})

/** Methods whose requests have no body in most cases. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE'])

/**
 * @param {any} given instead of options
 * @param {string} method
 * @returns {string} how it is given as the body, which other tools have there
 */
function bodyHint (given, method) {
  const own = ownOf(given)
  const call = ['POST', 'PUT', 'PATCH'].includes(method)
    ? `http.${method.toLowerCase()}(path`
    : 'http.request(method, path'
  return `a body is an option, as in ${call}, { ${own}: … })`
}

/** @type {(given: any) => 'body' | 'json' | 'form' | 'multipart'} which body it is */
function ownOf (given) {
  if (given instanceof URLSearchParams) return 'form'
  if (given instanceof FormData) return 'multipart'
  return typeof given === 'string' || ArrayBuffer.isView(given) ? 'body' : 'json'
}

/**
 * @param {string[]} keys of the given options
 * @param {string} method
 * @returns {string | null} how it is given as the body; null where it looks like options
 */
function fieldsHint (keys, method) {
  if (WITHOUT_BODY.has(method) || keys.some(key => KNOWN.has(key) || Object.hasOwn(OF_OTHERS, key))) return null
  if (keys.some(key => nearest(key, KEYS) !== null)) return null
  return `: an object as the body is JSON with { json: { ${printable(keys[0])} } }, or a form with ` +
    `{ form: { ${printable(keys[0])} } }`
}

/**
 * @param {any} given
 * @param {string} [method] of the request
 * @returns {RequestOptions}
 * @throws {TypeError}
 */
function readOptions (given, method = 'GET') {
  if (!isRecord(given)) {
    const shown = typeof given === 'string' ? redactedText(given) : given
    throw new TypeError(WITHOUT_BODY.has(method)
      ? `expected an object of options such as { headers, query, name }, got ${show(shown)}`
      : `expected an object of options, got ${show(shown)}: ${bodyHint(given, method)}`)
  }
  /** @type {RequestOptions & Record<string, any>} */
  const options = new RequestOptions()
  for (const key of Object.keys(given)) {
    if (!KNOWN.has(key)) {
      const hint = Object.hasOwn(OF_OTHERS, key)
        ? `: ${OF_OTHERS[key]}`
        : fieldsHint(Object.keys(given), method) ?? suggestOf(key, KEYS)
      throw new TypeError(`unknown option ${show(key)}${hint}`)
    }
    options[key] = given[key]
    if (IS_BODY.has(key)) options.bodies++
  }
  return options
}

/** Returns its kind, without its value. @type {(given: unknown) => string} */
function kindOf (given) {
  return typeof given === 'object' || given === undefined ? show(given) : `a ${typeof given}`
}

/** @param {any} given */
function authorizationOf (given) {
  if (typeof given === 'string' && given.includes(':')) {
    const at = given.indexOf(':')
    return basicAuthorization({ user: given.slice(0, at), password: given.slice(at + 1) })
  }
  if (isRecord(given) && typeof given.bearer === 'string') {
    // It is not shown: it is a secret.
    if (!isFieldValue(given.bearer)) throw new TypeError('auth.bearer has characters that no header may have')
    return `Bearer ${given.bearer}`
  }
  if (isRecord(given) && typeof given.user === 'string') {
    return basicAuthorization({ user: given.user, password: String(given.password ?? '') })
  }
  // A text may be a secret, so it is not shown.
  throw new TypeError("auth: expected 'user:password', { user, password } or { bearer }, got " +
    (typeof given === 'string' ? 'a string without a colon: a token is { bearer }' : kindOf(given)))
}

/** Returns how many are followed; null for as many as users do. @param {unknown} given */
function redirectsOf (given) {
  if (given === undefined) return null
  const count = given === true ? 10 : given === false ? 0 : toNumber(given)
  if (Number.isInteger(count) && count >= 0 && count <= MOST_REDIRECTS) return count
  throw new TypeError(`redirects: expected how many are followed, 0 to ${MOST_REDIRECTS}, got ${show(given)}`)
}

/**
 * @param {string} option
 * @param {unknown} given
 * @param {number} [longest] s
 * @returns {number | null} ms; null for none
 * @throws {TypeError}
 */
function msOf (option, given, longest = LONGEST) {
  if (given === undefined) return null
  const seconds = parseSeconds(given)
  if (seconds > 0 && seconds <= longest) return seconds * 1000
  throw new TypeError(`${option}: expected seconds or a time such as 5s, more than 0, got ${show(given)}`)
}

/** @type {(given: any) => ((response: any) => unknown) | undefined} */
function checkOf (given) {
  if (given === undefined || typeof given === 'function') return given
  throw new TypeError(`check: expected a function of the response, got ${show(given)}`)
}

module.exports = { BODIES, KEYS, RequestOptions, authorizationOf, checkOf, msOf, readOptions, redirectsOf }
