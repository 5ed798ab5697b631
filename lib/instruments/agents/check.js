'use strict'

const { MAYBE_COUNT, TEXT_OR_NULL } = require('../../record/shapes')
const { fields, is, list, nullable, object, oneOf, optional, COUNT, TEXT } = require('../../core/shape')
const { VERDICT } = require('../generator/check')

const LOSS = oneOf(['silent', 'left', 'failed'], 'how an agent was lost')

const AGENT = object({
  ...fields(['name', 'host', 'node'], TEXT),
  ...fields(['cores', 'workers', 'connections', 'clockError'], COUNT),
  requests: object(fields(['sent', 'total'], COUNT)),
  health: object({
    ...fields(['cpu', 'cpuTotal', 'eventLoopUtilization', 'stalledMs'], COUNT),
    verdict: nullable(VERDICT),
    cause: TEXT_OR_NULL
  }),
  // Negative for an agent that began before the others.
  skew: is('a number or null', value => value === null || Number.isFinite(value)),
  lost: nullable(object({
    after: COUNT, code: optional(LOSS), reason: TEXT, missing: object({ share: COUNT, requests: MAYBE_COUNT })
  }))
})

module.exports = { raw: { agents: optional(list(AGENT)) } }
