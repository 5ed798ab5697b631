'use strict'

// Owns the requests of one connection that are sent and not answered, as a fixed ring of times, first in, first out.
// It knows no request: what else belongs to one is kept by the connection's sequence, in the same order.

class InFlight {
  /** @param {number} capacity the pipelining depth */
  constructor (capacity) {
    this.capacity = capacity
    this.started = new Float64Array(capacity)
    this.origins = new Float64Array(capacity)
    this.head = 0
    this.count = 0
  }

  /**
   * @param {number} startedAt ms
   * @param {number} n how many requests started then; at most `capacity - count`
   */
  push (startedAt, n) {
    while (n-- > 0) this.pushFrom(startedAt, startedAt)
  }

  /**
   * @param {number} startedAt when the request was written, ms
   * @param {number} origin when its latency began: then, or when it should have been written
   */
  pushFrom (startedAt, origin) {
    let tail = this.head + this.count
    if (tail >= this.capacity) tail -= this.capacity
    this.started[tail] = startedAt
    this.origins[tail] = origin
    this.count++
  }

  /** @returns {number} when the oldest request started; only while `count` > 0 */
  peek () {
    return this.started[this.head]
  }

  /** @returns {number} when the latency of the oldest request began; only while `count` > 0 */
  origin () {
    return this.origins[this.head]
  }

  /** @returns {number} when the oldest request started, which leaves the ring */
  shift () {
    const startedAt = this.started[this.head]
    if (++this.head === this.capacity) this.head = 0
    this.count--
    return startedAt
  }
}

module.exports = { InFlight }
