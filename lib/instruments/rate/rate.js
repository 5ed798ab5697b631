'use strict'

module.exports = {
  place: 'times',
  hasResult: (/** @type {import('../index').Outcome} */ { targetRate }) => targetRate !== null,
  metrics: () => require('./result').METRICS,
  result: () => require('./result')
}
