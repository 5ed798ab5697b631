'use strict'

module.exports = {
  place: 'parts',
  metrics: () => require('./metrics'),
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result')
}
