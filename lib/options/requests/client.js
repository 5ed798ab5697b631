'use strict'

// Owns what does not go together with undici as the client.

const { show } = require('../../core/foreign-text')
const { parseHeaders } = require('../../requests/headers')
const { entriesIn } = require('./requests')
const { byName } = require('../table')
const { WITH_BODY } = require('../../protocols/undici/methods')

/** Headers that undici writes itself, or knows no way to send. */
const OWN_HEADERS = new Set(['transfer-encoding', 'keep-alive', 'upgrade', 'expect'])

/** A dispatcher makes its own connections. */
const CONNECTING = ['reconnectRate', 'disableKeepalive', 'socketPath', 'servername', 'tlsOptions', 'insecure', 'tlsMin', 'tlsMax', 'ciphers', 'alpn', 'tlsSessionReuse',
  'proxy', 'connectTo', 'resolve', 'ipv4', 'ipv6', 'dns', 'localAddress', 'connectTimeout', 'http']

/**
 * @param {unknown} given
 * @returns {unknown} a dispatcher, what makes one, or the path of a module that exports either
 * @throws {TypeError}
 */
function parseDispatcher (given) {
  const isPath = typeof given === 'string' && given !== ''
  if (isPath || typeof given === 'function' || isDispatcher(given)) return given
  throw new TypeError(`expected a dispatcher of undici, a function that makes one, or the absolute path of a module that exports one of these, got ${show(given)}`)
}

/** @param {any} given */
function isDispatcher (given) {
  return typeof given === 'object' && given !== null && typeof given.dispatch === 'function'
}

/**
 * @param {import('../normalize').Values} values of a run through undici
 * @param {(name: string) => string} call how the user calls an option
 * @returns {string[]} a sentence for each rule that is broken
 */
function aboutClient (values, call) {
  const { thresholds = [], abortOn = [], until, headers = [], dispatcher, workers, agents } = values
  const problems = []
  for (const { expression, metric } of [...thresholds, ...abortOn]) {
    if (metric.unit === 'bytes/s') problems.push(`${call('thresholds')}: ${show(expression)}: undici does not tell how many bytes it reads; hold the run to requests/s, or leave out ${call('client')}`)
  }
  if (until?.metric.unit === 'bytes/s') problems.push(`${call('until')}: undici does not tell how many bytes it reads; ask for rps, or leave out ${call('client')}`)
  /** @type {Array<[string, ReadonlyArray<readonly [string, string]>]>} */
  const all = [[call('headers'), headers], ...entriesIn(values).map(([place, entry]) => /** @type {[string, any]} */ ([`${place}.headers`, parseHeaders(entry.headers ?? [])]))]
  for (const [place, pairs] of all) {
    for (const [name] of pairs) if (OWN_HEADERS.has(name.toLowerCase())) problems.push(`${place}: undici sends no ${name} of others: leave it out, or leave out ${call('client')}`)
  }
  if (values.http === '2') problems.push(...aboutBodies(values, call))
  if (dispatcher === undefined) return problems
  for (const name of CONNECTING) {
    if (values[name] !== undefined && values[name] !== byName.get(name)?.default) problems.push(`${call('dispatcher')} and ${call(name)}: a dispatcher makes its own connections; tell it how when it is made`)
  }
  if ((workers ?? agents) !== undefined && typeof dispatcher !== 'string') problems.push(`${call('dispatcher')}: it does not reach ${agents === undefined ? 'a worker thread' : 'an agent'}; give the absolute path of a module that exports a function that makes one`)
  return problems
}

/**
 * @param {import('../normalize').Values} values
 * @param {(name: string) => string} call how the user calls an option
 * @returns {string[]} a sentence for each request with a body that undici can't send over HTTP/2
 */
function aboutBodies (values, call) {
  const entries = entriesIn(values)
  /** @type {Array<[string, any]>} */
  const all = entries.length === 0 ? [[call('method'), {}]] : entries
  return all.flatMap(([place, { method = values.method, body = values.body }]) => body === undefined || body === null || WITH_BODY.has(method.toUpperCase())
    ? []
    : [`${place}: over HTTP/2 undici sends a body with POST, PUT and PATCH alone, got one with ${method}: leave it out, or leave out ${call('client')}`])
}

/**
 * @param {unknown} given a dispatcher, what makes one, or the path of a module that exports either
 * @param {(path: string) => Promise<unknown>} load
 * @returns {Promise<import('undici').Dispatcher>} of this thread
 * @throws {TypeError} when it is none
 */
async function dispatcherOf (given, load) {
  const exported = typeof given === 'string' ? await load(given) : given
  const dispatcher = typeof exported === 'function' ? await exported() : exported
  if (!isDispatcher(dispatcher)) throw new TypeError(`expected a dispatcher of undici, got ${show(dispatcher)}`)
  return /** @type {any} */ (dispatcher)
}

module.exports = { aboutClient, dispatcherOf, parseDispatcher }
