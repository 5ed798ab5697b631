'use strict'

// Interprets errors of undici without a specific code: refusals of a proxy, and the end of an HTTP/2 connection.

const { types } = require('node:util')
const { ConnectionError, ProtocolError, looksOf, messageOf } = require('../../core/errors')

/** Errors after which an HTTP/2 connection is dead, and undici fails all its requests. */
const LAST = new Set([
  'ERR_HTTP2_ERROR', 'ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_CANCEL', 'AC_UNDICI_SESSION', 'ERR_ASSERTION'
])

/** The message when nghttp2 could not start a stream, because a protocol error has ended the session. */
const NO_STREAM = 'HTTP/2: "frameError" received - type 1, code 2'

/** The message of ProxyAgent when a proxy opens no tunnel. */
const NO_TUNNEL = /^Proxy response \((\d{3})\)/

/**
 * @param {unknown} given an error of undici; a dispatcher of a user may report anything
 * @returns {Error & { code?: string }} the error itself, or the error that the own client reports for a dead session or
 *   a proxy
 */
function explain (given) {
  // Errors of another realm fail `instanceof`.
  const error = given instanceof Error || types.isNativeError(given)
    ? given
    : new Error(messageOf(given) ?? `the dispatcher reported ${looksOf(given)} instead of an error`)
  if (error.message === NO_STREAM) return new ProtocolError('AC_UNDICI_SESSION')
  const status = NO_TUNNEL.exec(error.message)?.[1]
  if (status === undefined) return error
  const code = status === '407' ? 'AC_PROXY_AUTH' : status[0] === '5' ? 'AC_PROXY_UNREACHED' : 'AC_PROXY_REFUSED'
  return new ConnectionError(code, `the proxy responded to CONNECT with ${status}`)
}

module.exports = { LAST, explain }
