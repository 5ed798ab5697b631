'use strict'

// The arrivals in a result: the share of latencies that end when the kernel receives the response, and the delay of the
// reads.

const { round } = require('../../core/units')

/** @param {unknown} _ @param {import('../../figures/result').Context} context */
function derive (_, { outcome: { totals: { arrived, completed, sharedArrivals, distributions } }, summary }) {
  return { clock: { arrival: round(arrived / completed), shared: sharedArrivals, late: summary(distributions.late) } }
}

const noAbortOn = 'how late responses are read: that is judged when the run is over'

/** The metrics of the time between the arrival of a response in the kernel and its read. */
const METRICS = {
  times: {
    'read late': {
      what: 'the time between the arrival of a response in the kernel and its read',
      row: { parts: undefined, noAbortOn }
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ clock }) => ({ times: { 'read late': clock?.late } })
}

module.exports = { METRICS, derive }
