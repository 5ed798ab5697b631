'use strict'

// Reads whether connections keep cookies, and their initial cookies.

const { isRecord, show } = require('../../core/foreign-text')
const { problemAt } = require('../../core/problem')
const { isToken } = require('../../requests/headers')
const { eachWithin, within } = require('../../requests/place')
const { HIDDEN } = require('../../core/secrets')
const { readObject } = require('../../requests/fields')
const { CHOICE } = require('../type')

/**
 * @typedef {object} GivenCookies the parsed option
 * @property {'iteration' | 'connection' | null} keep null for the default
 * @property {string[]} start as values of Set-Cookie
 */

const KEEPS = ['iteration', 'connection']

/** The limit of a cookie in a jar, bytes. */
const MAX_COOKIE = 4096

const FIELDS = Object.freeze(/** @satisfies {import('../../requests/fields').Fields} */ ({
  keep: {
    ...CHOICE, choices: ['iteration', 'round', 'connection'], parse: keepOf,
    help: 'How long cookies are kept: for an iteration, the default with scenarios, or for the connection, the ' +
      'default without and where a request is sent once.'
  },
  start: {
    ts: 'Record<string, string | number> | ReadonlyArray<string>',
    schema: ({ FILLED }) => ({
      anyOf: [
        { type: 'object', additionalProperties: { type: ['string', 'number'] } }, { type: 'array', items: FILLED }
      ]
    }),
    parse: startOf,
    help: 'Initial cookies: names and values, or Set-Cookie lines.'
  }
}))

/**
 * @throws {TypeError}
 * @type {(given: unknown) => false | GivenCookies}
 */
function parseCookies (given) {
  if (given === false || given === 'false') return false
  if (given === true || given === 'true') return { keep: null, start: [] }
  if (!isRecord(given)) throw new TypeError(`expected true, or an object with keep and start, got ${show(given)}`)
  const { keep = null, start = [] } = readObject(given, FIELDS)
  return { keep, start }
}

/** @param {unknown} given @returns {'iteration' | 'connection'} `round` is an alias of `iteration` */
function keepOf (given) {
  if (given === 'round') return 'iteration'
  if (typeof given !== 'string' || !KEEPS.includes(given)) {
    throw new TypeError(`expected ${KEEPS.join(' or ')}, got ${show(given)}`)
  }
  return /** @type {'iteration' | 'connection'} */ (given)
}

/** @type {(given: unknown) => string[]} */
function startOf (given) {
  if (Array.isArray(given)) return eachWithin(given, lineOf)
  if (!isRecord(given)) {
    throw new TypeError(
      `expected an object of names and values, or an array of lines such as 'name=value; Path=/', got ${show(given)}`
    )
  }
  return Object.entries(given).map(([name, value]) => within(`.${name}`, () => {
    if (!isToken(name)) {
      throw new TypeError(`${show(name)} is not a name of a cookie: letters, digits and !#$%&'*+-.^_\`|~ are allowed`)
    }
    if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError('expected a text as value')
    // The value is not in the message: it may be the key to an account.
    if (String(value).includes(';')) {
      throw new TypeError(
        "expected a value without a semicolon; with attributes, give an array of lines such as ['name=value; Path=/']"
      )
    }
    return lineOf(`${name}=${value}; Path=/`)
  }))
}

/** @type {(given: unknown) => string} */
function lineOf (given) {
  if (typeof given !== 'string' || !/^\s*[^\s=;][^=;]*=/.test(given)) {
    throw new TypeError("expected a line such as 'name=value; Path=/'")
  }
  // eslint-disable-next-line no-control-regex
  if (/[\0-\x1f\x7f]/.test(given)) {
    throw new TypeError('expected a line without line breaks and other control characters')
  }
  if (Buffer.byteLength(given) > MAX_COOKIE) {
    throw new TypeError(`expected at most ${MAX_COOKIE} bytes, got ${Buffer.byteLength(given)}`)
  }
  return given
}

/**
 * @param {import('../normalize').Values} values
 * @param {(name: string) => string} call how the user calls an option
 * @returns {import('../../core/problem').Problem[]} one for each cookie that a browser would reject
 */
function aboutCookies ({ cookies, url = [], socketPath, servername }, call) {
  if (!cookies || cookies.start.length === 0) return []
  const { jarWith } = require('../../users/cookie-jar')
  const { parseTarget } = require('../../requests/target')
  const targets = url.map((/** @type {string} */ one) => parseTarget(one, { socketPath, servername }))
  return cookies.start.flatMap((/** @type {string} */ line, /** @type {number} */ i) => {
    // Each cookie has its own jar here, so that limits of a jar do not matter.
    if (targets.length === 0 || jarWith([line], targets, 0).store.count > 0) return []
    const name = line.slice(0, line.indexOf('=')).trim()
    return [problemAt(call, `cookies.start[${i}]`, `${show(name)} is for none of the URLs: look at its Domain, ` +
      'Secure, Max-Age and prefix')]
  })
}

/**
 * @param {any} given
 * @returns {unknown} the option with hidden values: any cookie may be secret
 */
function withoutValues (given) {
  const cookies = given.keep === 'round' ? { ...given, keep: keepOf(given.keep) } : given
  const { start } = cookies
  if (start === undefined || start === null) return cookies
  const hidden = Array.isArray(start)
    ? start.map(line => line.replace(/=[^;]*/, `=${HIDDEN}`))
    : Object.fromEntries(Object.keys(start).map(name => [name, HIDDEN]))
  return { ...cookies, start: hidden }
}

module.exports = { FIELDS, aboutCookies, parseCookies, withoutValues }
