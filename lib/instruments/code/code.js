'use strict'

// CPU time of user functions, in which the load generator samples its stack. In a result it is `userCode`.

const { isIn: hasFunctions } = require('../groups/groups')

module.exports = {
  place: 'times',
  isIn: hasFunctions,
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { userCode }) => userCode !== undefined,
  report: () => require('./report')
}
