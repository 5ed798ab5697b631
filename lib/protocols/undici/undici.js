'use strict'

// Owns what undici is among the protocols: HTTP/1.1 or HTTP/2, as a service of Node.js speaks it.

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: (plan, now) => require('./peer').undici(plan, now),
  rulesOf: (values, call, given) => require('./rules').aboutClient(values, call, given),
  tunnels: true,
  isOpaque: true
}
