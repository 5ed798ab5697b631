'use strict'

// Owns one connection's way through the templates: which is sent next, and which the next answer belongs to.

class Sequence {
  /** @param {import('./template').Batch} batch */
  constructor (batch) {
    this.batch = batch
    this.count = batch.templates.length
    this.sending = 0
    this.answering = 0
  }

  /** How many requests `next` may be asked for at once. */
  get maxRun () {
    return this.batch.maxRun
  }

  /**
   * @param {number} n
   * @returns {Buffer} the bytes of the next n requests
   */
  next (n) {
    const bytes = this.batch.view(this.sending, n)
    this.sending = (this.sending + n) % this.count
    return bytes
  }

  /** @returns {string} the method that the next answer answers */
  answeringMethod () {
    return this.batch.templates[this.answering].method
  }

  /** The oldest request in flight has been answered. */
  answered () {
    if (++this.answering === this.count) this.answering = 0
  }

  /** What was in flight is lost: the next answer belongs to the next request. */
  drop () {
    this.answering = this.sending
  }
}

module.exports = { Sequence }
