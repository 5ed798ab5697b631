'use strict'

// A request with several attempts: redirects, and retries. Each attempt is a request of the run with its own fate. The
// name of the request counts once: from the first write to the last response, without pauses and time without a
// connection between a response and the next request.

class Way {
  constructor () {
    /** When its latency began, and when its first request was written; NaN while there was one request only. */
    this.origin = NaN
    this.started = NaN
    this.endedAt = NaN
    this.size = 0
  }

  /**
   * The response was not the last one of the request, or it got none and is tried again.
   * @param {number} origin when the latency of the last request began
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
   * @param {number} origin when the latency of the request began that is in flight
   * @returns {number} when that of the whole way would have begun, had there been no time in between
   */
  originOf (origin) {
    return Number.isNaN(this.origin) ? origin : this.origin + Math.max(0, origin - this.endedAt)
  }

  /**
   * Excludes the time between two requests from latencies.
   * @param {number} origin when the latency of this one began
   */
  leaveOut (origin) {
    const gap = this.originOf(origin) - this.origin
    this.origin += gap
    this.started += gap
  }

  /** The rest belongs to another request. */
  end () {
    this.origin = NaN
    this.started = NaN
    this.size = 0
  }
}

module.exports = { Way }
