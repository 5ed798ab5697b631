'use strict'

// The offset between the clock of Redis and ours: a common clock for machines with different ones.

/** The number of requests; the quickest one is the most exact. */
const SAMPLES = 16

class RedisClock {
  /**
   * @param {() => Promise<[seconds: string | number, micros: string | number]>} readTime returns the response to TIME
   * @param {import('../../core/clock').Clock} sharedNow of this machine
   */
  constructor (readTime, sharedNow) {
    this.readTime = readTime
    this.sharedNow = sharedNow
    /** Added to a time of this machine for the clock of Redis, ms. */
    this.offset = 0
    /** How far that may be wrong, ms: half of the quickest round trip. */
    this.error = Infinity
    /** The slowest round trip of the last measurement, ms. */
    this.slowest = 0
  }

  /** Measures again: clocks of machines drift apart by milliseconds in a minute. */
  async measure () {
    let best = { offset: this.offset, error: Infinity }
    let slowest = 0
    for (let i = 0; i < SAMPLES; i++) {
      const before = this.sharedNow()
      const [seconds, micros] = await this.readTime()
      const trip = this.sharedNow() - before
      slowest = Math.max(slowest, trip)
      // The answer was made in the middle of the way, or at most half of it apart.
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
