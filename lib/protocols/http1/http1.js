'use strict'

// The declaration of HTTP/1.1 as a protocol.

const { requestsThrough } = require('../../net/route')

/** @type {import('../protocol').Traits} */
module.exports = {
  protocolOf: ({ network }) => require('./peer').http1(requestsThrough(network))
}
