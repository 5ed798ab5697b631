'use strict'

// The shape of distributions.

const { DISTRIBUTION } = require('../../record/shapes')
const { fields, object, optional } = require('../../core/shape')

const report = object({
  ...fields(['latency', 'serviceTime', 'ttfb', 'connect', 'lag'], DISTRIBUTION),
  late: optional(DISTRIBUTION)
})

module.exports = { isRequired: true, report }
