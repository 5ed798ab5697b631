'use strict'

module.exports = {
  place: 'times',
  isIn: (/** @type {import('../index').Plan} */ { websocket }) => websocket !== null,
  record: () => require('./record'),
  check: () => require('./check'),
  metrics: () => require('./metrics'),
  result: () => require('./result'),
  findings: () => require('./findings'),
  isTold: (/** @type {Record<string, any>} */ { websocket }) => websocket !== undefined,
  report: () => require('./report')
}
