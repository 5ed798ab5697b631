'use strict'

// The declaration of HTTP/2 as a protocol.

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: () => require('./peer').http2(),
  rulesOf: (values, call, given) => require('./rules').aboutHttp2(values, call, given),
  sharesConnections: true,
  tunnels: true
}
