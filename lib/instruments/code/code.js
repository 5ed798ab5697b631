'use strict'

// What the instrument is to the rest: when a run measures it, where its figures are, and what it consists of.

const { isIn: hasFunctions } = require('../groups/groups')

module.exports = {
  place: 'times',
  isIn: hasFunctions,
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isTold: (/** @type {Record<string, any>} */ { userCode }) => userCode !== undefined,
  report: () => require('./report')
}
