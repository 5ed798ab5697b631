'use strict'

// What the second argument of http.get() and the like may say.

const { isRecord, show } = require('../core/foreign-text')
const { suggestOf } = require('../core/suggest')

/** Each gives a body: one of them. */
const BODIES = Object.freeze(/** @type {const} */ (['body', 'json', 'form', 'multipart']))

/** Of one shape whatever is given, as its values are asked for at each request; `undefined` stands for what is not. */
class RequestOptions {
  /** How many keys of `BODIES` are there, perhaps without a value. */
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

/** What others call an option, and what it is here. @type {Readonly<Record<string, string>>} */
const OF_OTHERS = Object.freeze({
  params: 'what follows ? in a URL is query', searchParams: 'what follows ? in a URL is query',
  tags: 'what a request is called in the results is name', data: 'use body, json or form',
  responseType: 'a response has text, json() and body', method: 'use http.request(method, path, options)'
})

/**
 * @param {any} given
 * @returns {RequestOptions}
 * @throws {TypeError}
 */
function readOptions (given) {
  if (!isRecord(given)) throw new TypeError(`expected an object of options, got ${show(given)}`)
  /** @type {RequestOptions & Record<string, any>} */
  const options = new RequestOptions()
  for (const key of Object.keys(given)) {
    if (!KNOWN.has(key)) {
      const hint = Object.hasOwn(OF_OTHERS, key) ? `: ${OF_OTHERS[key]}` : suggestOf(key, KEYS)
      throw new TypeError(`unknown option ${show(key)}${hint}`)
    }
    options[key] = given[key]
    if (IS_BODY.has(key)) options.bodies++
  }
  return options
}

module.exports = { BODIES, KEYS, RequestOptions, readOptions }
