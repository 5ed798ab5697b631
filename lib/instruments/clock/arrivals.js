'use strict'

// Whether latencies end when the kernel receives the responses. A busy process does not change them then.

/** With this share of timed arrivals, percentiles up to p99 end at the arrival. */
const MOST = 0.99

/** @param {{ arrived: number, completed: number }} counts of a run, or of an agent */
function endsByArrival ({ arrived, completed }) {
  return completed > 0 && arrived >= MOST * completed
}

/** @param {Record<string, any>} result */
function isTimedByArrival ({ clock }) {
  return clock?.arrival >= MOST
}

module.exports = { endsByArrival, isTimedByArrival }
