'use strict'

module.exports = {
  place: 'times',
  isIn: (/** @type {import('../index').Plan} */ { network }) => Boolean(network?.proxies),
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { proxy, options }) =>
    proxy !== undefined || options?.proxy !== undefined,
  findings: () => require('./findings'),
  report: () => require('./report')
}
