'use strict'

module.exports = {
  place: 'parts',
  isIn: (/** @type {import('../index').Plan} */ { stages }) => stages !== null,
  record: () => require('./record'),
  check: () => require('./check'),
  hasResult: (/** @type {import('../index').Outcome} */ { stages }) => stages != null,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { byStage }) => byStage !== undefined,
  findings: () => require('./findings'),
  report: () => require('./report')
}
