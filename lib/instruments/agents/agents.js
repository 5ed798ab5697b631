'use strict'

module.exports = {
  place: 'end',
  check: () => require('./check'),
  hasResult: (/** @type {import('../index').Outcome} */ { agents }) => agents != null,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { agents }) => agents !== undefined,
  findings: () => require('./findings'),
  report: () => require('./report')
}
