'use strict'

const { COUNTS, DISTRIBUTION } = require('../../record/shapes')
const { fields, list, object, COUNT, TEXT } = require('../../core/shape')

const TALLY = {
  ...fields(['firstToken', 'firstReasoning', 'interToken', 'perToken', 'speed', 'perRequest'], DISTRIBUTION),
  ...fields(['outputs', 'deltas', 'reported', 'counted', 'usageTokens', 'usageDeltas', 'usageOutputs', 'invalidUsage',
    'promptTokens', 'prompts'], COUNT),
  ...fields(['finishes', 'failures'], COUNTS)
}

const report = object({ ...TALLY, ...fields(['named', 'scenarios'], list(object({ name: TEXT, ...TALLY }))) })

module.exports = { report }
