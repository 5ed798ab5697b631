'use strict'

// The sentence on arrivals: responses are complete when the kernel received them, and were read this much later.

const { formatInteger, formatLatency, formatPercent } = require('../core/units')

/**
 * @param {Record<string, any>} result
 * @returns {string | null} without a full stop; null for a run whose latencies end when responses were read
 */
function clockSentence ({ clock }) {
  if (!(clock?.late?.p99 >= 0)) return null
  const share = clock.arrival >= 0.9995 ? 'Latency' : `For ${formatPercent(clock.arrival)} of the responses, latency`
  const [p50, p99] = [clock.late.p50, clock.late.p99].map(late => formatLatency(late))
  const late = `the load generator read responses ${p50} later (p50; p99 ${p99})`
  // The kernel has one time for all that a read takes.
  const together = clock.shared > 0
    ? `; ${formatInteger(clock.shared)} were read together with a later one and have its arrival time`
    : ''
  return `${share} ends when the kernel receives the response; ${late}${together}`
}

module.exports = { clockSentence }
