'use strict'

// A batched pace: a timer sends all due requests, at most once per ms. It costs little CPU time, but is late by up to 1
// ms.

class BatchTimer {
  /** @param {import('../../core/timers').Timers} timers */
  constructor (timers) {
    this.timers = timers
    this.end = () => {}
  }

  /**
   * Also restarts a running timer, because the next due time may have changed.
   * @param {() => number} left ms until the next due time; negative if overdue
   * @param {() => void} wake sends due requests
   */
  start (left, wake) {
    this.end()
    this.end = this.timers.every(left, wake)
  }

  /** A batched pace spends no CPU time on waiting. */
  takeIdleMs () {
    return 0
  }

  stop () {
    this.end()
  }
}

module.exports = { BatchTimer }
