'use strict'

// Requests that no connection carries yet, in the order in which they were asked for: to shift an array of 100,000
// takes as long as it is.

/** @typedef {import('./call').Call} Call */

class Waiting {
  constructor () {
    /** @type {Call[]} */
    this.list = []
    this.first = 0
  }

  get length () {
    return this.list.length - this.first
  }

  /** @param {Call} call */
  push (call) {
    this.list.push(call)
  }

  /** @returns {Call | undefined} the oldest, which waits no longer */
  take () {
    if (this.length === 0) return undefined
    const call = this.list[this.first++]
    if (2 * this.first > this.list.length) {
      this.list = this.list.slice(this.first)
      this.first = 0
    }
    return call
  }

  takeAll () {
    const all = this.list.slice(this.first)
    this.list = []
    this.first = 0
    return all
  }
}

module.exports = { Waiting }
