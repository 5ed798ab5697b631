'use strict'

const { MAYBE_COUNT } = require('../../record/shapes')
const { fields, list, maybe, object, oneOf, COUNT } = require('../../core/shape')
const { VERDICTS } = require('./verdict')

const VERDICT = oneOf(VERDICTS)

const USAGE = object({
  ...fields(['cpuMs', 'activeMs', 'gcMs', 'wallMs', 'stalledMs'], COUNT),
  ...fields(['runDelayMs', 'idleMs', 'blockedMs', 'lateMs', 'stolenMs', 'throttledMs'], MAYBE_COUNT),
  waits: maybe(object(fields(['ms', 'squares'], COUNT))),
  delay: object(fields(['p50', 'p99', 'max'], COUNT))
})

module.exports = {
  VERDICT, snapshot: { usage: USAGE }, point: { verdict: maybe(VERDICT) }, raw: { loads: list(USAGE) }
}
