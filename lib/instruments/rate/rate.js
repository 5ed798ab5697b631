'use strict'

// Owns what the instrument is to the rest: when a run measures it, where its figures are, and what it consists of.

module.exports = {
  place: 'times',
  hasResult: (/** @type {import('../index').Outcome} */ { targetRate }) => targetRate !== null,
  metrics: () => require('./metrics'),
  result: () => require('./result')
}
