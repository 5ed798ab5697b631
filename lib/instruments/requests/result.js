'use strict'

// Owns what a result says of each named request.

const { checksIn } = require('../../figures/checks')
const { partResult } = require('../../figures/parts')

/**
 * @param {unknown} _
 * @param {import('../../figures/result').Context} context
 */
function derive (_, { outcome: { totals }, summary, identity: { percentiles } }) {
  const byRequest = Array.from(totals.requests.tallies.values(), tally =>
    [tally.name, { ...partResult(tally, percentiles), ttfb: summary(tally.ttfb), checks: checksIn(totals, tally.name) }])
  return { byRequest: Object.fromEntries(byRequest) }
}

module.exports = { derive }
