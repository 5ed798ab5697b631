'use strict'

module.exports = {
  place: 'times',
  // Any user function may open WebSockets; a flow declares its own.
  isIn: (/** @type {import('../index').Plan} */ { websocket, scenarios }) => websocket !== null ||
    scenarios.some(({ userScenarios }) =>
      userScenarios?.some(({ code, steps }) => code !== null || steps.some(({ isSocket }) => isSocket))),
  // With user functions and flows, the counts begin with the first WebSocket.
  begin: (/** @type {import('../index').Plan} */ { websocket }) =>
    websocket === null ? null : new (require('./record').Messages)(),
  record: () => require('./record'),
  metrics: () => require('./result').METRICS,
  result: () => require('./result'),
  findings: () => require('./findings'),
  isShown: (/** @type {Record<string, any>} */ { websocket }) => websocket !== undefined,
  report: () => require('./report'),
  families: () => require('./families').FAMILIES
}
