'use strict'

// The sentence on arrivals: latencies end when the kernel receives the response, and this is how much later it was
// read.

const { formatInteger, formatLatency, formatPercent } = require('../core/units')

/**
 * @param {Record<string, any>} result
 * @returns {string | null} without a full stop; null if latencies end when responses are read
 */
function clockSentence ({ clock }) {
  if (!(clock?.late?.p99 >= 0)) return null
  const share = clock.arrival >= 0.9995 ? 'Latency' : `For ${formatPercent(clock.arrival)} of the responses, latency`
  const [p50, p99] = [clock.late.p50, clock.late.p99].map(late => formatLatency(late))
  const late = `the load generator read responses ${p50} later (p50; p99 ${p99})`
  // The kernel reports one arrival time for all data of a read.
  const together = clock.shared > 0
    ? `; ${formatInteger(clock.shared)} were read together with a later one and have its arrival time`
    : ''
  return `${share} ends when the kernel receives the response; ${late}${together}`
}

module.exports = { clockSentence }
