'use strict'

const { EDGES } = require('../../record/coarse')
const { reportShape } = require('../../record/shapes')
const { fields, is, list, maybe, object, optional, COUNT } = require('../../core/shape')
const { Streams } = require('./record')

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

module.exports = { report: reportShape(Streams), point: { streams: optional(POINT) } }
