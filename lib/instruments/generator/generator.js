'use strict'

// Owns what the instrument is to the rest: when a run measures it, where its figures are, and what it consists of.

module.exports = {
  place: 'last',
  hasResult: () => true,
  check: () => require('./check'),
  point: () => require('./point'),
  metrics: () => require('./metrics'),
  result: () => require('./result')
}
