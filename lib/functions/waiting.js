'use strict'

// A linked list of requests without a connection yet, in their order: shifting an array takes time in proportion to its
// length, such as 100,000, and most users have one request at a time or none.

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
    else this.last.next = call
    this.last = call
    this.length++
  }

  /** @returns {Call | undefined} the oldest, which waits no longer */
  take () {
    const call = this.first
    if (call === null) return undefined
    this.first = call.next
    if (this.first === null) this.last = null
    call.next = null
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
