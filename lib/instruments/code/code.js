'use strict'

// What the instrument is to the rest: when a run measures it, where its figures are, and what it consists of.

module.exports = {
  place: 'times',
  isIn: (/** @type {import('../index').Plan} */ { scenarios }) =>
    scenarios.some(({ rounds }) => rounds?.some(({ code }) => code !== null)),
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isTold: (/** @type {Record<string, any>} */ { userCode }) => userCode !== undefined,
  report: () => require('./report')
}
