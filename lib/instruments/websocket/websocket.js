'use strict'

module.exports = {
  place: 'times',
  // What is beside HTTP is known of flows only: a function opens some or not.
  isIn: (/** @type {import('../index').Plan} */ { websocket, scenarios }) => websocket !== null ||
    scenarios.some(({ rounds }) =>
      rounds?.some(({ code, steps }) => code !== null || steps.some(({ isSocket }) => isSocket))),
  // WebSockets of user functions and flows are counted from the first one on.
  begin: (/** @type {import('../index').Plan} */ { websocket }) =>
    websocket === null ? null : new (require('./record').Messages)(),
  record: () => require('./record'),
  metrics: () => require('./result').METRICS,
  result: () => require('./result'),
  findings: () => require('./findings'),
  isShown: (/** @type {Record<string, any>} */ { websocket }) => websocket !== undefined,
  report: () => require('./report')
}
