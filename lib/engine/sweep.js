'use strict'

// Checks all connections of a thread several times a second for timeouts and for a silent server. There is no timer per
// request.

const { Silence } = require('./silence')

class Sweep {
  /**
   * @param {import('./pacing/running-clock').RunningClock} clock
   * @param {import('../core/timers').Timers} timers stop it at the end of the run
   * @param {number} timeout ms
   * @param {() => ReadonlyArray<import('./connection').Connection>} connections
   */
  constructor (clock, timers, timeout, connections) {
    this.clock = clock
    this.timers = timers
    this.connections = connections
    this.silence = new Silence(Math.max(1, Math.min(100, timeout / 10)))
    this.sweptAt = 0
  }

  start () {
    const { clock, timers, silence } = this
    this.sweptAt = clock.real()
    silence.start(clock.now())
    timers.every(() => silence.interval, () => this.check())
  }

  check () {
    const { clock, timers, silence } = this
    const late = clock.real() - this.sweptAt > 2 * silence.interval
    this.sweptAt = clock.real()
    silence.check(clock.now(), this.connections())
    // After a busy or stopped time, responses may have arrived already: the next turn reads them first.
    if (late) timers.soon(() => this.checkDeadlines())
    else this.checkDeadlines()
  }

  /** Ends connections and requests after their timeout. */
  checkDeadlines () {
    if (this.timers.stopped) return
    const at = this.clock.now()
    for (const connection of this.connections()) connection.checkDeadline(at)
  }

  /** @returns {number} start of the wait without data; now if no request waits */
  silentFrom () {
    return this.silence.since(this.clock.now(), this.connections())
  }
}

module.exports = { Sweep }
