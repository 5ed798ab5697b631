'use strict'

module.exports = {
  place: 'last',
  check: () => require('./check'),
  point: () => require('./result'),
  metrics: () => require('./result').METRICS,
  hasResult: (/** @type {import('../index').Outcome} */ { series }) =>
    series.some(({ server }) => server !== undefined),
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { server }) => server !== undefined,
  report: () => require('./report')
}
