'use strict'

// Options that cannot be combined with undici as the client.

const { show } = require('../../core/foreign-text')
const { problemAt } = require('../../core/problem')
const { parseHeaders } = require('../../requests/headers')
const { WITH_BODY } = require('./requests')

/** Headers that undici writes itself, or does not support. */
const OWN_HEADERS = new Set(['transfer-encoding', 'keep-alive', 'upgrade', 'expect'])

/** Options of connections: a dispatcher opens its own. */
const CONNECTING = [
  'reconnectRate', 'disableKeepalive', 'socketPath', 'servername', 'tlsOptions', 'insecure', 'tlsMin', 'tlsMax',
  'ciphers', 'alpn', 'tlsSessionReuse', 'proxy', 'connectTo', 'resolve', 'ipv4', 'ipv6', 'dns', 'localAddress',
  'connectTimeout', 'http'
]

/** @type {import('../protocol').Rules} */
function aboutClient (values, call, { entries, set }) {
  const { thresholds = [], abortOn = [], until, headers = [], dispatcher, workers, agents } = values
  const problems = []
  for (const { expression, metric } of [...thresholds, ...abortOn]) {
    if (metric.unit === 'bytes/s') {
      problems.push(problemAt(call, 'thresholds', `${show(expression)}: undici does not report how many bytes it ` +
        `reads; use a threshold on requests/s, or omit ${call('client')}`))
    }
  }
  if (until?.metric?.unit === 'bytes/s') {
    problems.push(problemAt(call, 'until', 'undici does not report how many bytes it reads; use rps, or omit ' +
      `${call('client')}`))
  }
  const [socket] = entries.filter(([, { ws }]) => ws !== undefined)
  if (socket !== undefined) {
    return [problemAt(call, `${socket[0]}.ws`, `undici opens no WebSockets here: omit ${call('client')}`)]
  }
  /** @type {Array<[string, ReadonlyArray<readonly [string, string]>]>} */
  const all = [['headers', headers], ...entries.map(
    ([place, entry]) => /** @type {[string, any]} */ ([`${place}.headers`, parseHeaders(entry.headers ?? [])])
  )]
  for (const [place, pairs] of all) {
    for (const [name] of pairs) {
      if (OWN_HEADERS.has(name.toLowerCase())) {
        problems.push(problemAt(call, place, `undici sends no ${name} of others: omit it, or omit ${call('client')}`))
      }
    }
  }
  if (values.http === '2') problems.push(...aboutBodies(values, call, entries))
  if (dispatcher === undefined) return problems
  for (const name of set(CONNECTING)) {
    problems.push(problemAt(call, ['dispatcher', name], 'a dispatcher opens its own connections; configure it when ' +
      'it is created'))
  }
  if ((workers ?? agents) !== undefined && typeof dispatcher !== 'string') {
    problems.push(problemAt(call, 'dispatcher', 'it does not reach ' +
      `${agents === undefined ? 'a worker thread' : 'an agent'}; give the absolute path of a module that exports a ` +
      'function that makes one'))
  }
  return problems
}

/**
 * @param {import('../../options/normalize').Values} values
 * @param {(name: string) => string} call
 * @param {import('../protocol').Given['entries']} entries
 * @returns {import('../../core/problem').Problem[]} one for each request with a body that undici cannot send over
 *   HTTP/2
 */
function aboutBodies (values, call, entries) {
  /** @type {Array<[string, any]>} */
  const all = entries.length === 0 ? [['method', {}]] : entries
  return all.flatMap(([place, { method = values.method, body = values.body }]) =>
    body === undefined || body === null || WITH_BODY.has(method.toUpperCase())
      ? []
      : [problemAt(call, place, 'over HTTP/2 undici sends a body only with POST, PUT and PATCH, got one with ' +
        `${method}: omit it, or omit ${call('client')}`)])
}

module.exports = { aboutClient }
