'use strict'

const noAbortOn = 'handshakes: they are judged when the run is over'

module.exports = {
  times: { handshake: { what: 'the time of a TLS handshake', row: { parts: undefined, noAbortOn } } },
  rows: {
    'handshakes/s': {
      unit: 'handshakes/s', of: 'handshakes', per: 'seconds', highIsGood: true, sees: ['load'], noAbortOn
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
