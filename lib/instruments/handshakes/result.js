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

const noAbortOn = 'handshakes: they are judged when the run is over'

const METRICS = {
  times: { handshake: { what: 'the time of a TLS handshake', row: { parts: undefined, noAbortOn } } },
  rows: {
    'handshakes/s': {
      unit: 'handshakes/s', of: 'handshakes', per: 'seconds', highIsGood: true, covers: ['load'], noAbortOn
    },
    resumed: {
      aliases: ['resumed handshakes'], unit: 'count', of: 'resumed', per: 'handshakes', share: true, highIsGood: true,
      noAbortOn
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ handshakes }) => handshakes === undefined
    ? {}
    : {
        times: { handshake: handshakes.latency },
        counted: { handshakes: handshakes.count, resumed: handshakes.resumed },
        perSecond: { handshakes: handshakes.perSecond }
      }
}

module.exports = { METRICS, derive }
