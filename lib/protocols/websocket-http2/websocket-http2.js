'use strict'

// The declaration of WebSocket over HTTP/2 as a protocol.

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: plan => require('./peer').websocketOverHttp2(plan),
  sharesConnections: true,
  hasMessages: true,
  tunnels: true
}
