'use strict'

// A batched pace: a timer, at most once per ms, sends everything that has become due. It costs little and is late by up
// to 1 ms.

class BatchTimer {
  /** @param {import('../../core/timers').Timers} timers */
  constructor (timers) {
    this.timers = timers
    this.end = () => {}
  }

  /**
   * Restarts a running timer, too: the next due time may have changed.
   * @param {() => number} left ms until something is due; less than 0 when it is overdue
   * @param {() => void} wake sends due requests, as far as possible
   */
  start (left, wake) {
    this.end()
    this.end = this.timers.every(left, wake)
  }

  /** Nothing is spent on waiting. */
  takeIdleMs () {
    return 0
  }

  stop () {
    this.end()
  }
}

module.exports = { BatchTimer }
