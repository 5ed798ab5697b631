'use strict'

// Owns what HTTP/1.1 is among the protocols.

const { requestsThrough } = require('../../net/route')

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: ({ network }) => require('./peer').http1(requestsThrough(network))
}
