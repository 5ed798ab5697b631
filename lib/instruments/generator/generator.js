'use strict'

module.exports = {
  place: 'last',
  hasResult: () => true,
  check: () => require('./check'),
  point: () => require('./point'),
  metrics: () => require('./verdict').METRICS,
  result: () => require('./result')
}
