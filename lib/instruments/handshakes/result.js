'use strict'

// Owns what a result says of the TLS handshakes of its run.

const { summaryOf } = require('../../figures/parts')
const { round } = require('../../units')

/**
 * @param {import('./record').Handshakes} handshakes
 * @param {number} seconds that the figures last
 * @param {number[]} [percentiles] beside the documented ones
 */
function handshakesResult ({ latency, resumed, agreed }, seconds, percentiles) {
  return {
    count: latency.count,
    perSecond: round(latency.count / seconds),
    resumed,
    latency: summaryOf(latency, percentiles),
    negotiated: [...agreed].sort(([, a], [, b]) => b - a).map(([name, count]) => {
      const [protocol, cipher] = name.split(' ')
      return { protocol, cipher, count }
    })
  }
}

module.exports = { handshakesResult }
