'use strict'

// Owns what `excludeErrorStats` leaves out of latencies and bytes: all but 2xx answers. They are counted all the same.

const { Recorder } = require('./recorder')

class SuccessRecorder extends Recorder {
  read () {}

  /**
   * @param {number} status
   * @param {number} size
   * @param {number} ms
   * @param {number} serviceMs
   * @param {number} ttfb
   */
  complete (status, size, ms, serviceMs, ttfb) {
    if (status >= 200 && status <= 299) {
      this.bytes += size
      super.complete(status, size, ms, serviceMs, ttfb)
    } else {
      this.completed++
      this.statuses[status]++
    }
  }

  recordUnansweredPaced () {}

  recordUnansweredUnpaced () {}

  /**
   * @param {import('./named-requests').RequestTally} tally
   * @param {number} status
   * @param {number} ms
   * @param {number} ttfb
   */
  completeNamed (tally, status, ms, ttfb) {
    if (status >= 200 && status <= 299) super.completeNamed(tally, status, ms, ttfb)
    else tally.complete(status)
  }

  /**
   * @param {Error & { code?: string }} error
   * @param {number} ms
   * @param {number} serviceMs
   * @param {import('./recorder').ErrorObserver} observer
   * @param {import('./named-requests').RequestTally | null} [tally]
   */
  timeOut (error, ms, serviceMs, observer, tally = null) {
    this.timedOut++
    if (tally !== null) tally.errors++
    this.countError(error, 1, observer)
  }
}

module.exports = { SuccessRecorder }
