'use strict'

module.exports = {
  place: 'end',
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { slowest = [], firstFailures = [] }) =>
    slowest.length + firstFailures.length > 0,
  report: () => require('./report')
}
