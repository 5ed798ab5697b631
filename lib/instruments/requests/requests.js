'use strict'

module.exports = {
  place: 'parts',
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { byRequest = {} }) => Object.keys(byRequest).length > 0,
  report: () => require('./report')
}
