'use strict'

module.exports = {
  place: 'parts',
  isIn: (/** @type {import('../index').Plan} */ { scenarios }) =>
    scenarios.some(({ userScenarios }) => userScenarios?.some(({ code }) => code !== null)),
  record: () => require('./record'),
  check: () => require('./check'),
  metrics: () => require('./result').METRICS,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { groups = {} }) => Object.keys(groups).length > 0,
  report: () => require('./report')
}
