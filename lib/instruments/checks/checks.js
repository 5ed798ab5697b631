'use strict'

module.exports = {
  place: 'parts',
  metrics: () => require('./result').METRICS,
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result')
}
