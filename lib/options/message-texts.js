'use strict'

// Reads texts about the messages of WebSocket: which one responds to which, the path of a time in it, subprotocols.

const { show } = require('../core/foreign-text')
const { isToken } = require('../requests/headers')

/**
 * @param {unknown} given `next`, `json PATH`, a function, or the path of a module that exports one
 * @returns {string | { hook: unknown }}
 * @throws {TypeError}
 */
function parseMatch (given) {
  if (typeof given === 'function') return { hook: given }
  if (given === 'next') return given
  if (typeof given === 'string' && /^json\s/.test(given)) return `json ${pathIn(given)}`
  // A name alone is a mistyped rule rather than a module.
  if (typeof given === 'string' && /[\\/]/.test(given)) return { hook: given }
  throw new TypeError("expected next, json and a path such as 'json id', a function or the path of its module such " +
    `as ./match.js, got ${show(given)}${meantPath(given)}`)
}

/** @param {unknown} given @returns {string} a question where it is a path without the word json; else empty */
function meantPath (given) {
  return typeof given === 'string' && given !== 'json' && /^[\w$][\w.[\]-]{0,99}$/.test(given)
    ? `: did you mean 'json ${given}'?`
    : ''
}

/** @param {string} given */
function pathIn (given) {
  const path = given.replace(/^json\s+/, '').trim()
  require('../requests/json-path').parseJsonPath(path)
  if (path.includes('[*]')) throw new TypeError(`expected the path of one value, got ${show(path)}`)
  return path
}

/**
 * @param {unknown} given `json PATH`
 * @returns {string} the path
 * @throws {TypeError}
 */
function parseAge (given) {
  if (typeof given === 'string' && /^json\s/.test(given)) return pathIn(given)
  throw new TypeError(
    `expected json and the path of a time in ms since 1970, such as 'json sentAt', got ${show(given)}`
  )
}

/**
 * @param {unknown} given
 * @throws {TypeError}
 */
function parseSubprotocols (given) {
  const all = [given].flat().flatMap(namesIn)
  const twice = all.find((name, i) => all.indexOf(name) !== i)
  // Servers refuse the handshake (RFC 6455 §4.1).
  if (twice !== undefined) throw new TypeError(`expected different names, got ${show(twice)} twice`)
  return all
}

/**
 * @param {unknown} one
 * @throws {TypeError}
 */
function namesIn (one) {
  const names = typeof one === 'string' ? one.split(',').map(name => name.trim()) : [one]
  for (const name of names) {
    if (typeof name !== 'string' || !isToken(name)) {
      throw new TypeError(`expected names such as graphql-transport-ws, got ${show(name)}`)
    }
  }
  return /** @type {string[]} */ (names)
}

module.exports = { meantPath, parseAge, parseMatch, parseSubprotocols }
