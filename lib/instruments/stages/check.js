'use strict'

const { StageTally } = require('./stage-tally')
const { TIMES } = require('./stage-times')
const { COUNTS: GOODPUT } = require('../goodput/check')
const { DISTRIBUTION, INDEX, MAYBE_COUNT, TEXT_OR_NULL, shapesOf } = require('../../record/shapes')
const { fields, list, maybe, object, oneOf, optional, COUNT } = require('../../core/shape')

const report = object({
  settled: MAYBE_COUNT,
  counts: list(object({
    stage: INDEX, ...shapesOf(StageTally), times: optional(object(fields(TIMES, optional(DISTRIBUTION)))),
    goodput: optional(object(GOODPUT))
  }))
})

const raw = {
  stages: maybe(list(object({
    name: TEXT_OR_NULL,
    over: oneOf(['rate', 'iterations', 'connections'], 'rate, iterations or connections'),
    ...fields(['from', 'until', 'start', 'end'], COUNT)
  })))
}

module.exports = { raw, report }
