'use strict'

const { COUNTS, TEXT_OR_NULL } = require('../../record/shapes')
const { each, fields, is, list, object, optional, COUNT, TEXT } = require('../../core/shape')

const HEADER = is('a name and a value', value => Array.isArray(value) && value.length === 2)
const SAMPLE_OF_CHECK = object({ status: COUNT, headers: list(HEADER), body: TEXT })

const CHECK = object({
  name: TEXT,
  request: TEXT_OR_NULL,
  ...fields(['passed', 'failed'], COUNT),
  unjudged: optional(COUNT),
  reasons: COUNTS,
  samples: each(SAMPLE_OF_CHECK)
})

module.exports = { report: list(CHECK) }
