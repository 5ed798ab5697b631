'use strict'

module.exports = {
  place: 'times',
  isIn: (/** @type {import('../index').Plan} */ { targets, session, dispatcher }) =>
    dispatcher === null && (targets.some(({ tls }) => tls) || Boolean(session?.redirects.anywhere)),
  record: () => require('./record'),
  metrics: () => require('./result').METRICS,
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { handshakes }) => handshakes !== undefined,
  report: () => require('./report')
}
