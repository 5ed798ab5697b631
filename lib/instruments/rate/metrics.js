'use strict'

// The metric of a rate: the achieved share.

module.exports = {
  rows: {
    'rate ratio': {
      unit: 'share', of: 'rateRatio', highIsGood: true, parts: ['stage', 'scenario'], arrivals: true, sees: ['load']
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ rate }) => rate?.sent > 0 ? { counted: { rateRatio: rate.ratio } } : {}
}
