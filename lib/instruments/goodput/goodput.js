'use strict'

// Goodput as an instrument. Its figures are part of those of streams.

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
