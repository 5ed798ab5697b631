'use strict'

// Owns what a result says of each named request.

const { checksOf } = require('../checks/result')
const { figuresOf } = require('../streams/result')
const { goodputOf } = require('../goodput/result')
const { figuresOf: tokenFigures } = require('../tokens/result')
const { partResult } = require('../../figures/parts')

/**
 * @param {import('./record').NamedRequests} requests
 * @param {import('../../figures/result').Context} context
 */
function derive ({ tallies }, context) {
  const { outcome: { totals: { instruments } }, summary, identity: { percentiles } } = context
  /** @param {string} name */
  const streamsOf = name => {
    const streams = instruments.streams?.named.get(name)
    if (streams === undefined || !streams.hasCounted) return {}
    const tokens = instruments.tokens?.of(name) ?? null
    const { goodput } = instruments
    return {
      streams: {
        ...figuresOf(streams, context),
        ...tokens !== null && tokenFigures(tokens, context),
        ...goodput !== null && { goodput: goodputOf(goodput.named.get(name)) }
      }
    }
  }
  const byRequest = Array.from(tallies.values(), tally => [
    tally.name,
    {
      ...partResult(tally, percentiles), ttfb: summary(tally.ttfb), checks: checksOf(instruments.checks, tally.name),
      ...streamsOf(tally.name)
    }
  ])
  return { byRequest: Object.fromEntries(byRequest) }
}

module.exports = { derive }
