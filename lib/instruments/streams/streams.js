'use strict'

module.exports = {
  place: 'times',
  isIn: (/** @type {import('../index').Plan} */ { stream, websocket }) =>
    stream !== null || websocket?.receives === true,
  // With user functions, the counts begin with the first stream.
  begin: (/** @type {import('../index').Plan} */ { stream, websocket }) =>
    (stream !== null && stream.kind !== null) || websocket?.receives ? new (require('./record').Streams)() : null,
  record: () => require('./record'),
  check: () => require('./check'),
  point: () => require('./point'),
  metrics: () => require('./result').METRICS,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { streams }) => streams !== undefined,
  findings: () => require('./findings'),
  report: () => require('./report'),
  families: () => require('./families').FAMILIES
}
