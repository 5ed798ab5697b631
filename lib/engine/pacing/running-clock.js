'use strict'

// The time of a load generator: the monotonic clock without stalls of its thread (SIGSTOP, a debugger, a sleeping
// laptop, CPU wait, a blocking hook). A stall is neither latency of the server nor a reason for a timeout.

/**
 * The generator sweeps ten times a second at least, so a thread without a read of the clock for this time has stalled,
 * ms.
 */
const STALL = 1000

class RunningClock {
  /** @param {import('../../core/clock').Clock} real */
  constructor (real) {
    this.real = real
    this.lost = 0
    this.taken = 0
    this.last = real()
    // The last stall, on the real clock.
    this.stallStart = -Infinity
    this.stallEnd = -Infinity
    /**
     * Called at each read and write: it costs one comparison more than the clock itself.
     * @type {import('../../core/clock').Clock}
     */
    this.now = () => {
      const at = real()
      if (at - this.last > STALL) this.skip(at)
      this.last = at
      return at - this.lost
    }
  }

  /** @param {number} until on the real clock */
  skip (until) {
    this.stallStart = this.last
    this.stallEnd = until
    this.lost += until - this.last
  }

  /**
   * @param {number} real a time of the past on the real clock, no earlier than the stall before the last
   * @returns {number} the same on this one; the last stall is a point in time
   */
  at (real) {
    if (real >= this.stallEnd) return real - this.lost
    const before = this.lost - (this.stallEnd - this.stallStart)
    return Math.min(real, this.stallStart) - before
  }

  /** The clock is read all the time from now on: earlier gaps are no stalls. */
  start () {
    this.last = this.real()
  }

  /** @returns {number} ms of stalls since the last call */
  takeStall () {
    const stall = this.lost - this.taken
    this.taken = this.lost
    return stall
  }
}

module.exports = { RunningClock }
