'use strict'

module.exports = {
  place: 'times',
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result')
}
