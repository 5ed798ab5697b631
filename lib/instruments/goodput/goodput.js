'use strict'

// Goodput is an instrument with counts and metrics. Its figures are in `streams` of a result.

module.exports = {
  place: 'times',
  isIn: (/** @type {import('../index').Plan} */ { goodput }) => goodput !== null,
  hasResult: () => false,
  begin: (/** @type {import('../index').Plan} */ { goodput }) =>
    new (require('./record').Goodputs)(/** @type {NonNullable<typeof goodput>} */ (goodput)),
  record: () => require('./record'),
  check: () => require('./check'),
  metrics: () => require('./result').METRICS,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { streams }) => streams?.goodput !== undefined,
  report: () => require('./report')
}
