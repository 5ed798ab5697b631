'use strict'

// The shape of what is counted of streams.

const { DISTRIBUTION } = require('../../record/shapes')
const { fields, list, maybe, object, optional, COUNT, TEXT } = require('../../core/shape')

const TALLY = {
  ...fields(['firstEvent', 'gap', 'duration', 'perStream'], DISTRIBUTION),
  ...fields(['opened', 'completed', 'closed', 'truncated', 'events', 'reads', 'stalls', 'reconnects'], COUNT)
}

const report = object({ ...TALLY, ...fields(['named', 'scenarios'], list(object({ name: TEXT, ...TALLY }))) })

const QUANTILES = maybe(object(fields(['p50', 'p95', 'p99', 'max'], COUNT)))

const POINT = object({ ...fields(['events', 'stalls'], COUNT), ...fields(['firstEvent', 'gap'], QUANTILES) })

module.exports = { report, point: { streams: optional(POINT) } }
