'use strict'

const { partResult } = require('../../figures/parts')

/** @param {import('./record').NamedRequests} requests @param {import('../../figures/result').Context} context */
function derive ({ tallies }, { summary, ofPart, identity: { percentiles } }) {
  const byRequest = Array.from(tallies.values(), tally => [
    tally.name,
    { ...partResult(tally, percentiles), ttfb: summary(tally.ttfb), ...ofPart('request', tally.name) }
  ])
  return { byRequest: Object.fromEntries(byRequest) }
}

module.exports = { derive }
