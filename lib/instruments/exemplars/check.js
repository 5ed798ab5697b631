'use strict'

const { MAYBE_COUNT, TEXT_OR_NULL } = require('../../record/shapes')
const { fields, is, list, object, optional, COUNT, FLAG, TEXT } = require('../../core/shape')

const EXEMPLAR = object({
  // Negative if it was in flight when the figures began. A Date has a highest value.
  time: is('a number', value => Math.abs(value) <= 1e15),
  request: TEXT,
  ...fields(['name', 'error'], TEXT_OR_NULL),
  ...fields(['connection', 'waited', 'total', 'size'], COUNT),
  ...fields(['connect', 'firstByte', 'status'], MAYBE_COUNT),
  trace: optional(object({ ...fields(['id', 'parent'], TEXT), sampled: FLAG }))
})

module.exports = { report: object(fields(['slowest', 'failures'], list(EXEMPLAR))) }
