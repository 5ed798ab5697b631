'use strict'

module.exports = {
  place: 'times',
  hasResult: (/** @type {import('../index').Outcome} */ { targetRate }) => targetRate !== null,
  metrics: () => require('./metrics'),
  result: () => require('./result')
}
