'use strict'

// Owns what the instrument is to the rest: when a run measures it, where its figures are, and what it consists of.

module.exports = {
  place: 'end',
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isTold: (/** @type {Record<string, any>} */ { slowest = [], firstFailures = [] }) =>
    slowest.length + firstFailures.length > 0,
  report: () => require('./report')
}
