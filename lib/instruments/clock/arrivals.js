'use strict'

// Whether latencies end when the kernel received the responses. A busy process has no effect on them then.

/** From this share of the responses on, percentiles up to p99 are those of arrivals. */
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
