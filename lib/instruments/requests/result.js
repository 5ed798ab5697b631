'use strict'

// Owns what a result says of each named request.

const { checksOf } = require('../checks/result')
const { partResult } = require('../../figures/parts')

/**
 * @param {import('./record').NamedRequests} requests
 * @param {import('../../figures/result').Context} context
 */
function derive ({ tallies }, { outcome: { totals: { instruments } }, summary, identity: { percentiles } }) {
  const byRequest = Array.from(tallies.values(), tally => [
    tally.name,
    { ...partResult(tally, percentiles), ttfb: summary(tally.ttfb), checks: checksOf(instruments.checks, tally.name) }
  ])
  return { byRequest: Object.fromEntries(byRequest) }
}

module.exports = { derive }
