'use strict'

// The shape of what is counted of streams.

const { DISTRIBUTION } = require('../../record/shapes')
const { fields, list, object, COUNT, TEXT } = require('../../core/shape')

const TALLY = {
  ...fields(['firstEvent', 'gap', 'duration', 'perStream'], DISTRIBUTION),
  ...fields(['opened', 'completed', 'closed', 'truncated', 'events', 'reads', 'stalls'], COUNT)
}

const report = object({ ...TALLY, named: list(object({ name: TEXT, ...TALLY })) })

module.exports = { report }
