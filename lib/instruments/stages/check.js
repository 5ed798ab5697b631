'use strict'

// Owns the shape of what is counted of stages.

const { STAGE_COUNTERS } = require('./stage-tally')
const { COUNTS, INDEX, MAYBE_COUNT, PART } = require('../../record/shapes')
const { fields, list, object, COUNT } = require('../../core/shape')

const report = object({ settled: MAYBE_COUNT, counts: list(object({ stage: INDEX, ...fields(STAGE_COUNTERS, COUNT), ...PART, errorCodes: COUNTS })) })

module.exports = { report }
