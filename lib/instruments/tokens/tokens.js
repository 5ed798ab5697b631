'use strict'

// Tokens are an instrument with counts and metrics. Their figures are in `streams` of a result.

module.exports = {
  place: 'times',
  isIn: (/** @type {import('../index').Plan} */ { stream }) => stream !== null && stream.kind === 'openai',
  hasResult: () => false,
  begin: () => new (require('./record').Tokens)(),
  record: () => require('./record'),
  metrics: () => require('./result').METRICS,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { streams }) => streams?.tokens !== undefined,
  report: () => require('./report')
}
