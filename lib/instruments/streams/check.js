'use strict'

// The shape of what is counted of streams.

const { DISTRIBUTION } = require('../../record/shapes')
const { fields, object, COUNT } = require('../../core/shape')

const report = object({
  ...fields(['firstEvent', 'gap', 'duration', 'perStream'], DISTRIBUTION),
  ...fields(['opened', 'completed', 'closed', 'truncated', 'events', 'reads', 'stalls'], COUNT)
})

module.exports = { report }
