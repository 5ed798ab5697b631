'use strict'

module.exports = {
  place: 'parts',
  isIn: (/** @type {import('../index').Plan} */ { users }) => users !== null,
  record: () => require('./record'),
  check: () => require('./check'),
  metrics: () => require('./result').METRICS,
  hasResult: (/** @type {import('../index').Outcome} */ { users }) => users != null,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { iterations, byScenario, redirects, retries }) =>
    iterations !== undefined || byScenario !== undefined || redirects > 0 || retries > 0,
  findings: () => require('./findings'),
  report: () => require('./report')
}
