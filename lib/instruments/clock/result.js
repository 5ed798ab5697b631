'use strict'

// The arrivals in a result: whether latencies end at the arrival of responses in the kernel, and the delay of their
// reads.

const { round } = require('../../core/units')

/** @param {unknown} _ @param {import('../../figures/result').Context} context */
function derive (_, { outcome: { totals: { arrived, completed, sharedArrivals, distributions } }, summary }) {
  return { clock: { arrival: round(arrived / completed), shared: sharedArrivals, late: summary(distributions.late) } }
}

module.exports = { derive }
