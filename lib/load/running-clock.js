'use strict'

// Owns the time of a generator: that of the monotonic clock without the times in which its thread stood still, because the
// process was stopped (SIGSTOP, a debugger, a laptop that slept), got no core, or was blocked by a hook. What happened then
// nobody has seen: it is neither the server's latency nor a reason for a timeout.

/** The generator sweeps ten times a second at least, so a thread that has not asked for the time for so long stood still, ms. */
const STANDSTILL = 1000

class RunningClock {
  /** @param {import('../clock').Clock} real */
  constructor (real) {
    this.real = real
    this.lost = 0
    this.taken = 0
    this.last = real()
    /**
     * Called at each read and write: a comparison, and no more, beside what the clock itself takes.
     * @type {import('../clock').Clock}
     */
    this.now = () => {
      const at = real()
      if (at - this.last > STANDSTILL) this.lost += at - this.last
      this.last = at
      return at - this.lost
    }
  }

  /** From now on the time is asked for all the time: what was before is no standstill. */
  start () {
    this.last = this.real()
  }

  /** @returns {number} ms that it stood still since this was last asked */
  takeStandstill () {
    const standstill = this.lost - this.taken
    this.taken = this.lost
    return standstill
  }
}

module.exports = { RunningClock }
