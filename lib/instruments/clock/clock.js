'use strict'

module.exports = {
  place: 'times',
  hasResult: (/** @type {import('../index').Outcome} */ { totals }) => totals.arrived > 0,
  metrics: () => require('./result').METRICS,
  result: () => require('./result')
}
