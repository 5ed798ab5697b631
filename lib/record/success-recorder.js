'use strict'

// With `excludeErrorStats`, latencies and bytes include only responses of 2xx and those without a status. Other
// responses are still counted.

const { Recorder } = require('./recorder')
const { isSuccess } = require('./statuses')

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
    if (isSuccess(status)) {
      this.bytes += size
      return super.complete(status, size, ms, serviceMs, ttfb)
    }
    this.completed++
    this.statuses[status]++
    return false
  }

  recordPendingPaced () {
    return false
  }

  recordWait () {}

  get hasPending () {
    return false
  }

  /**
   * @param {import('./tally').Tally} tally
   * @param {number} status
   * @param {number} size
   * @param {number} ms
   * @param {number} ttfb
   */
  completePart (tally, status, size, ms, ttfb) {
    if (isSuccess(status)) super.completePart(tally, status, size, ms, ttfb)
    else tally.complete(status)
  }
}

module.exports = { SuccessRecorder }
