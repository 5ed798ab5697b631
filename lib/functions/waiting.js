'use strict'

// Requests that no connection carries yet, in the order in which they were asked for, as a list in which each knows the
// next: to shift an array of 100,000 takes as long as it is, and most users have one request at a time or none.

/** @typedef {import('./call').Call} Call */

class Waiting {
  constructor () {
    /** @type {Call | null} */
    this.first = null
    /** @type {Call | null} */
    this.last = null
    this.length = 0
  }

  /** @param {Call} call */
  push (call) {
    if (this.last === null) this.first = call
    else this.last.behind = call
    this.last = call
    this.length++
  }

  /** @returns {Call | undefined} the oldest, which waits no longer */
  take () {
    const call = this.first
    if (call === null) return undefined
    this.first = call.behind
    if (this.first === null) this.last = null
    call.behind = null
    this.length--
    return call
  }

  takeAll () {
    const all = []
    for (let call = this.take(); call !== undefined; call = this.take()) all.push(call)
    return all
  }
}

module.exports = { Waiting }
