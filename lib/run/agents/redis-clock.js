'use strict'

// The offset between our clock and that of Redis, which is the common clock of all machines.

/** The number of requests; the fastest gives the most exact offset. */
const SAMPLES = 16

class RedisClock {
  /**
   * @param {() => Promise<[seconds: string | number, micros: string | number]>} readTime sends the command TIME
   * @param {import('../../core/clock').Clock} sharedNow the clock of this machine
   */
  constructor (readTime, sharedNow) {
    this.readTime = readTime
    this.sharedNow = sharedNow
    /** The clock of Redis minus the clock of this machine, ms. */
    this.offset = 0
    /** The maximum error of the offset, ms: half of the fastest round trip. */
    this.error = Infinity
    /** The slowest round trip of the last measurement, ms. */
    this.slowest = 0
  }

  /** Measures the offset: clocks drift apart by milliseconds in a minute. */
  async measure () {
    let best = { offset: this.offset, error: Infinity }
    let slowest = 0
    for (let i = 0; i < SAMPLES; i++) {
      const before = this.sharedNow()
      const [seconds, micros] = await this.readTime()
      const trip = this.sharedNow() - before
      slowest = Math.max(slowest, trip)
      // Assumes that Redis read its clock in the middle of the round trip; the error is at most half of it.
      if (trip / 2 < best.error) {
        best = { offset: Number(seconds) * 1000 + Number(micros) / 1000 - before - trip / 2, error: trip / 2 }
      }
    }
    Object.assign(this, best, { slowest })
  }

  /** @param {number} time of this machine */
  toRedis (time) {
    return time + this.offset
  }

  /** @param {number} time of Redis */
  toHere (time) {
    return time - this.offset
  }
}

module.exports = { RedisClock }
