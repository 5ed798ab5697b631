'use strict'

// A request with several attempts: redirects, and retries. Each attempt is a request of the run with its own fate. For
// the statistics by name it counts once: from the first write to the last response, without the time between a response
// and the next request.

class Attempts {
  constructor () {
    /** When its latency began, and when its first request was written; NaN before the second attempt. */
    this.origin = NaN
    this.started = NaN
    this.endedAt = NaN
    this.size = 0
  }

  /**
   * Another attempt follows.
   * @param {number} origin when the latency of the last attempt began
   * @param {number} started when it was written
   * @param {number} size bytes of its response
   * @param {number} at when it ended
   */
  goOn (origin, started, size, at) {
    if (Number.isNaN(this.origin)) {
      this.origin = origin
      this.started = started
    } else {
      this.leaveOut(origin)
    }
    this.endedAt = at
    this.size += size
  }

  /**
   * @param {number} origin when the latency of the current attempt began
   * @returns {number} the start of the latency of all attempts, without the time between them
   */
  originOf (origin) {
    return Number.isNaN(this.origin) ? origin : this.origin + Math.max(0, origin - this.endedAt)
  }

  /**
   * Excludes the time between two attempts from latencies.
   * @param {number} origin when the latency of the later attempt began
   */
  leaveOut (origin) {
    const gap = this.originOf(origin) - this.origin
    this.origin += gap
    this.started += gap
  }

  /** Resets for the next request. */
  end () {
    this.origin = NaN
    this.started = NaN
    this.size = 0
  }
}

module.exports = { Attempts }
