'use strict'

// The clock of a load generator: monotonic time without stalls of its thread (SIGSTOP, a debugger, a sleeping laptop,
// CPU wait, a blocking hook). A stall is not latency of the server and must not cause timeouts.

/**
 * The longest gap between reads of the clock, ms. The generator sweeps at least ten times a second, so a longer gap is
 * a stall.
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
     * Called at each read and write, so it adds only one comparison to the cost of the clock.
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
   * @param {number} real a past time on the real clock, after the end of the second-to-last stall
   * @returns {number} the time on this clock, where the last stall has no duration
   */
  at (real) {
    if (real >= this.stallEnd) return real - this.lost
    const before = this.lost - (this.stallEnd - this.stallStart)
    return Math.min(real, this.stallStart) - before
  }

  /** Starts the detection of stalls: earlier gaps between reads are normal. */
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
