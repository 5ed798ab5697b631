'use strict'

// Tokens as an instrument. Its figures are part of those of streams.

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
