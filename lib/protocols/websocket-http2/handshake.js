'use strict'

// The handshake of WebSocket over HTTP/2 (RFC 8441): the fields of the extended CONNECT, and the validation of the
// response. It has no streams.

const { HandshakeError, OWN, choiceIn } = require('../websocket/handshake')

/**
 * @param {import('../websocket/handshake').Wanted} wanted
 * @param {boolean} tls
 * @returns {Array<[name: string, value: string]>} names in lower case; without a key, because HTTP/2 confirms the
 *   protocol (§5)
 */
function connectFields ({ authority, path, authorization, headers, protocols, offer }, tls) {
  /** @type {Array<[string, string]>} */
  const given = []
  let host = authority
  let authorizes = authorization !== undefined
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    // A given Host becomes :authority (RFC 9113 §8.3.1).
    if (lower === 'host') host = value
    else if (!OWN.includes(lower)) given.push([lower, value.trim()])
    if (lower === 'authorization') authorizes = false
  }
  /** @type {Array<[string, string]>} */
  const fields = [
    [':method', 'CONNECT'],
    [':protocol', 'websocket'],
    [':scheme', tls ? 'https' : 'http'],
    [':path', path],
    [':authority', host],
    ['sec-websocket-version', '13']
  ]
  if (protocols.length > 0) fields.push(['sec-websocket-protocol', protocols.join(', ')])
  if (offer !== null) fields.push(['sec-websocket-extensions', offer.text])
  if (authorizes) fields.push(['authorization', /** @type {string} */ (authorization)])
  return [...fields, ...given]
}

/**
 * @param {import('../websocket/handshake').Wanted} wanted
 * @param {number} status of the final response
 * @param {string[]} rawHeaders names and values alternate
 * @returns {ReturnType<typeof choiceIn>} the server's choice, or the reason why it is invalid
 */
function readConnectResponse (wanted, status, rawHeaders) {
  // Any 2xx accepts a CONNECT (RFC 9110 §9.3.6); HTTP/2 has no status 101.
  return status < 200 || status > 299
    ? new HandshakeError('AC_WS_STATUS', status, `the server responded to the WebSocket handshake with ${status}`)
    : choiceIn(rawHeaders, wanted, status)
}

module.exports = { connectFields, readConnectResponse }
