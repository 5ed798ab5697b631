'use strict'

// The declaration of WebSocket as a protocol.

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: plan => require('./peer').websocket(plan),
  socketsOf: () => require('./function-sockets').functionSockets,
  rulesOf: (values, call, given) => require('./rules').aboutWebSocket(values, call, given),
  hasMessages: true,
  tunnels: true
}
