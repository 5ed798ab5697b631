'use strict'

// Finds why a run had no responses, from its errors.

const { error } = require('../core/finding')
const { meaningOf } = require('../core/errors')
const { SHORTAGES } = require('../figures/error-words')
const { hasFunctions, isListening, hasNoResponse } = require('../figures/parts')

/** Errors of a TLS handshake with a server without TLS. */
const NO_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])

/** Errors of HTTP/2 to a server that speaks HTTP/1 only. */
const NO_HTTP2 = new Set(['AC_H2_ALPN', 'AC_H2_HTTP1', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'])

/** Errors of a server that rejects the offered TLS versions, ciphers or certificates. */
const REFUSED_TLS = /^ERR_SSL_(.*ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED|INSUFFICIENT_SECURITY)|UNSUPPORTED_PROTOCOL)$/

/** Errors of a connection that was closed without a response. */
const CLOSED = new Set(['AC_CLOSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Errors of a refused WebSocket handshake. */
const OF_HANDSHAKE = new Set([
  'AC_WS_STATUS', 'AC_WS_UPGRADE', 'AC_WS_CONNECTION', 'AC_WS_ACCEPT', 'AC_WS_SUBPROTOCOL', 'AC_WS_EXTENSION'
])

/** Errors of a WebSocket that the server closed. */
const OF_CLOSE = /^AC_WS_(CLOSE|ABNORMAL)/

/** Errors if nothing listens at the address. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOENT', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

/** Errors of the proxy or of the tunnel through it. */
const OF_PROXY = /^AC_(PROXY|TUNNEL)_/

/** Kinds of streams that need the Content-Type text/event-stream. */
const OF_EVENTS = new Set(['sse', 'openai'])

const TIMEOUTS = new Set(['AC_TIMEOUT', 'AC_IDLE_TIMEOUT', 'AC_BEHIND_TIMEOUT', 'AC_CONNECT_TIMEOUT'])

/** A request that timed out before this share of the timeout of the run had its own timeout. */
const SOONER = 0.9

/** If its figures are shorter than this, s, a run ended before they began. */
const FIGURES = 0.1

/** @param {Record<string, any>} result @returns {import('./findings').Finding[]} */
function noResponse (result) {
  const { errors } = result
  if (!hasNoResponse(result)) return []
  if (errors === 0 && isListening(result)) {
    const { opened, closed } = result.websocket
    const facts = { opened, closed, pinged: result.options?.ping !== undefined }
    return [error('nothing-received', facts)]
  }
  if (errors === 0) return [error('no-response-yet', beforeFirst(result))]
  const [most = ''] = codesOf(result)
  const where = {
    urls: [result.url ?? []].flat(),
    ...result.socketPath !== undefined && { socketPath: result.socketPath }
  }
  if (NO_HTTP2.has(most)) {
    return [error('http2-refused', { ...where, secure: withScheme(result, 'http', 'https') })]
  }
  return [error('no-response', { ...where, ...reasonOf(result) })]
}

/** @param {Record<string, any>} result @returns {boolean} whether the run ended before its figures began */
function endedInSkipped ({ skipped, duration }) {
  return skipped?.requests > 0 && duration < FIGURES
}

/** @param {Record<string, any>} result of a run without failures and responses */
function beforeFirst (result) {
  const { interrupted, options, skipped, duration, unfinished, iterations } = result
  const { requests, throughput, websocket, streams, checks = [] } = result
  if (requests.sent === 0 && iterations?.cut > 0 && iterations.cutBy.setupRequest === iterations.cut) {
    return { unmade: iterations.cut }
  }
  if (iterations?.completed > 0 && requests.sent === 0) {
    const { completed } = iterations
    return websocket?.opened > 0
      ? { iterations: completed, opened: websocket.opened, posted: websocket.sent }
      : { iterations: completed }
  }
  if (iterations?.cut > 0 && requests.sent === 0) return { aborted: iterations.cut, cutBy: iterations.cutBy }
  if (endedInSkipped({ skipped, duration })) {
    return { skipped: options?.skipFirst ?? skipped.seconds, requests: skipped.requests, inSkipped: true }
  }
  if (skipped?.requests > 0) return { skipped: skipped.seconds, unfinished }
  const timed = !interrupted && options?.duration !== undefined
  // User scenarios send messages among other requests.
  if (websocket?.sent > 0 && iterations === undefined) return { timed, isOfMessages: true }
  if (throughput?.total > 0 && OF_EVENTS.has(streams?.kind) && streams.opened === 0) {
    const [reason] = checks.flatMap((/** @type {Record<string, any>} */ { name, reasons }) =>
      name === 'content-type' ? Object.keys(reasons) : [])
    return { timed, bytes: throughput.total, kind: streams.kind, ...reason !== undefined && { reason } }
  }
  // Responses that have begun but not ended may be endless.
  return throughput?.total > 0 && canStream(result) ? { timed, bytes: throughput.total } : { timed }
}

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether --stream could measure its responses
 */
function canStream (result) {
  const { options, streams, websocket } = result
  return !hasFunctions(result) && [options?.stream, streams, websocket].every(one => one === undefined)
}

/** @param {Record<string, any>} result @returns {string[]} codes of its errors, the most frequent first */
function codesOf ({ errors, timeouts, errorCodes = errors === timeouts ? { AC_TIMEOUT: timeouts } : {} }) {
  return Object.keys(errorCodes).sort((a, b) => errorCodes[b] - errorCodes[a])
}

/**
 * @param {Record<string, any>} result of a run without a response
 * @returns {{ reason: string } & Record<string, unknown>}
 */
function reasonOf (result) {
  const codes = codesOf(result)
  const [most = ''] = codes
  if (codes.length > 0 && codes.every(code => TIMEOUTS.has(code))) return timeoutOf(result, codes)
  if (OF_HANDSHAKE.has(most)) return { reason: 'handshake-refused', error: most, statuses: statusesOf(result) }
  if (OF_CLOSE.test(most)) return { reason: 'closed-websocket', error: most }
  if (OF_PROXY.test(most)) return { reason: 'proxy' }
  if (result.proxy !== undefined) {
    if (CLOSED.has(most)) return { reason: 'proxy-or-server-closed' }
    if (most === 'AC_TLS_ALERT') return { reason: 'proxy-or-server-tls' }
    if (most === 'AC_STATUS_LINE') return { reason: 'proxy-or-server-not-http' }
    if (most === 'AC_H2_SILENT') return { reason: 'proxied-http2-silent' }
  }
  const secure = withScheme(result, 'http', 'https') || withScheme(result, 'ws', 'wss')
  const plain = withScheme(result, 'https', 'http') || withScheme(result, 'wss', 'ws')
  if (most === 'AC_TLS_ALERT' && secure !== '') return { reason: 'tls-expected', secure }
  if (NO_TLS.has(most) && plain !== '') return { reason: 'no-tls', plain }
  if (CLOSED.has(most) && secure !== '') return { reason: 'closed', secure }
  if (CLOSED.has(most) && plain !== '') return { reason: 'closed', plain }
  if (most === 'ERR_HTTP2_ERROR') return { reason: 'http2-error' }
  if (REFUSED_TLS.test(most)) return { reason: 'tls-refused' }
  if (most === 'AC_H2_NO_STREAMS') return { reason: 'http2-no-streams' }
  if (most === 'AC_H2_SILENT') return { reason: 'http2-silent' }
  if (most === 'AC_STATUS_LINE') return { reason: 'not-http' }
  if (most === 'AC_LOOKUP_TIMEOUT' || most === 'EAI_AGAIN') {
    return { reason: 'no-name-server', lookedUpHere: isLookedUpHere(result) }
  }
  if (most === 'ENOTFOUND' && (result.options?.ipv4 || result.options?.ipv6)) {
    return { reason: 'no-address', family: result.options.ipv6 ? 6 : 4 }
  }
  if (most === 'ENOTFOUND') return { reason: 'unknown-host', lookedUpHere: isLookedUpHere(result) }
  if (/CERT|SIGNATURE/.test(most)) return { reason: 'untrusted', error: most }
  if (SHORTAGES.has(most)) return { reason: 'other' }
  return UNREACHABLE.has(most) || meaningOf(most) === undefined
    ? { reason: 'unreachable' }
    : { reason: 'error', error: most }
}

/** @type {(result: Record<string, any>) => string[]} statuses of refused handshakes, the most frequent first */
function statusesOf ({ websocket: { refused = {} } = {} }) {
  return Object.keys(refused).sort((a, b) => refused[b] - refused[a])
}

/**
 * @param {Record<string, any>} result of a run in which a name was not found
 * @returns {boolean} whether the proxy could resolve it instead
 */
function isLookedUpHere ({ proxy, options: { proxy: given = '' } = {} }) {
  return proxy !== undefined && /^(socks5:|env$)/i.test(given)
}

/** @param {Record<string, any>} result @param {string[]} codes */
function timeoutOf (result, codes) {
  const { options, proxy, latency, websocket, streams, throughput } = result
  if (websocket?.unmatched > 0) {
    return { reason: 'unmatched', timeout: options?.timeout, unmatched: websocket.unmatched }
  }
  // The latency includes requests that timed out, with their age.
  const isRead = throughput?.total > 0 && websocket === undefined && !(streams?.opened > 0) && options?.stream == null
  const begun = isRead ? { hadBegun: true, ...hasFunctions(result) && { isOfFunction: true } } : {}
  const age = latency?.totalCount > 0 ? latency.max : Infinity
  if (codes.every(code => code === 'AC_TIMEOUT') && age < SOONER * options?.timeout * 1000) {
    return { reason: 'timeout', timeout: Number((age / 1000).toPrecision(2)), isOfRequest: true, ...begun }
  }
  const connecting = codes.every(code => code === 'AC_CONNECT_TIMEOUT')
  const own = connecting ? options?.connectTimeout : undefined
  const reason = !connecting ? 'timeout' : proxy !== undefined ? 'tunnel-timeout' : 'connect-timeout'
  return { reason, timeout: own ?? options?.timeout, isOwn: own !== undefined, ...reason === 'timeout' && begun }
}

/**
 * @param {Record<string, any>} result
 * @param {string} scheme
 * @param {string} instead another scheme
 * @returns {string} its URLs with that scheme, with the other one instead; empty for none
 */
function withScheme ({ url }, scheme, instead) {
  return [url ?? []].flat().filter(one => one.startsWith(`${scheme}://`)).map(one => instead + one.slice(scheme.length))
    .join(', ')
}

module.exports = { endedInSkipped, noResponse, withScheme }
