'use strict'

const { EDGES } = require('../../record/coarse')
const { DISTRIBUTION } = require('../../record/shapes')
const { fields, is, list, maybe, object, optional, COUNT, TEXT } = require('../../core/shape')

const TALLY = {
  ...fields(['firstEvent', 'gap', 'duration', 'outage', 'perStream'], DISTRIBUTION),
  ...fields([
    'opened', 'completed', 'closed', 'truncated', 'events', 'reads', 'stalls', 'reconnects', 'shortenedWaits'
  ], COUNT)
}

const report = object({ ...TALLY, ...fields(['named', 'scenarios'], list(object({ name: TEXT, ...TALLY }))) })

const BUCKET = is('an edge and a count', value =>
  Array.isArray(value) && value.length === 2 && EDGES.includes(value[0]) && COUNT(value[1]) === null)

const QUANTILES = maybe(object({
  ...fields(['p50', 'p95', 'p99', 'max'], COUNT), buckets: optional(list(BUCKET))
}))

const POINT = object({
  ...fields(['events', 'stalls'], COUNT),
  tokens: optional(COUNT),
  ...fields(['firstEvent', 'gap', 'firstToken', 'interToken'], QUANTILES)
})

module.exports = { report, point: { streams: optional(POINT) } }
