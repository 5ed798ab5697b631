'use strict'

// Owns what HTTP/2 is among the protocols.

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: () => require('./peer').http2(),
  rulesOf: (values, call, given) => require('./rules').aboutHttp2(values, call, given),
  sharesConnections: true,
  tunnels: true
}
