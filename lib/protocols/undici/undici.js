'use strict'

// The declaration of undici as a protocol: HTTP/1.1 or HTTP/2, as a service on Node.js sends it.

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: (plan, now) => require('./peer').undici(plan, now),
  rulesOf: (values, call, given) => require('./rules').aboutClient(values, call, given),
  tunnels: true,
  isOpaque: true
}
