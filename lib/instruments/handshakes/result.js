'use strict'

const { round } = require('../../core/units')

/** @param {import('./record').Handshakes} handshakes @param {import('../../figures/result').Context} context */
function derive ({ latency, resumed, agreed }, { seconds, summary }) {
  const negotiated = [...agreed].sort(([, a], [, b]) => b - a).map(([name, count]) => {
    const [protocol, cipher] = name.split(' ')
    return { protocol, cipher, count }
  })
  return {
    handshakes: {
      count: latency.count, perSecond: round(latency.count / seconds), resumed, latency: summary(latency), negotiated
    }
  }
}

module.exports = { derive }
