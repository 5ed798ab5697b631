'use strict'

// Owns what the instrument is to the rest: when a run measures it, where its figures are, and what it consists of.

module.exports = {
  place: 'times',
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result')
}
