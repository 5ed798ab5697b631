'use strict'

// The second argument of ws() and of socket.request().

const { isRecord, show } = require('../../core/foreign-text')
const { suggestOf } = require('../../core/suggest')
const { checkOf, msOf } = require('../requests/request-options')

const OF_SOCKET = ['headers', 'query', 'auth', 'subprotocols', 'timeout', 'name', 'match', 'compressed', 'keep']
const OF_REQUEST = ['match', 'timeout', 'name', 'expect', 'check', 'capture']
/** Option names of other tools. @type {Readonly<Record<string, string>>} */
const OF_OTHERS = Object.freeze({
  subprotocol: 'use subprotocols', protocols: 'use subprotocols', tags: 'the name in the results is name',
  jar: 'the handshake has the cookies of the user', retries: 'a message is sent once'
})
/** A message has neither. */
const OF_HEADS = ['status', 'headers', 'events']
/** The grammar of a token (RFC 9110 §5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * @param {any} given
 * @returns {Record<string, any> & { protocols: ReadonlyArray<string>, timeoutMs: number | null }}
 * @throws {TypeError}
 */
function readSocketOptions (given = {}) {
  checkKeys(given, OF_SOCKET)
  const { subprotocols, timeout } = given
  const protocols = subprotocols === undefined ? [] : [subprotocols].flat()
  for (const one of protocols) {
    if (typeof one === 'string' && TOKEN.test(one)) continue
    throw new TypeError(`subprotocols: expected names such as graphql-transport-ws, got ${show(one)}`)
  }
  return { ...given, protocols, timeoutMs: msOf('timeout', timeout) }
}

/**
 * @param {any} given
 * @returns {Record<string, any> & { timeoutMs: number | null }}
 * @throws {TypeError}
 */
function readMessageOptions (given = {}) {
  checkKeys(given, OF_REQUEST)
  const { check, expect, timeout } = given
  checkOf(check)
  const head = OF_HEADS.find(key => isRecord(expect) && expect[key] !== undefined)
  if (head !== undefined) throw new TypeError(`expect.${head}: a message has no ${head}`)
  return { ...given, timeoutMs: msOf('timeout', timeout) }
}

/** @type {(given: any, known: string[]) => void} */
function checkKeys (given, known) {
  if (!isRecord(given)) throw new TypeError(`expected an object of options, got ${show(given)}`)
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue
    const hint = Object.hasOwn(OF_OTHERS, key) ? `: ${OF_OTHERS[key]}` : suggestOf(key, known)
    throw new TypeError(`unknown option ${show(key)}${hint}`)
  }
}

module.exports = { readMessageOptions, readSocketOptions }
