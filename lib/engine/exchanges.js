'use strict'

// The requests of one connection that were sent and have no response yet. Each is a row number of a table with one
// column per property. Rows are linked in sending order, so that the oldest is known in any order of responses.
//
// A source writes a request into the next free rows (`free`, then `following`), and `add` takes them in this order.
// Times and links are arrays of numbers, which V8 keeps unboxed. For one row such an array takes 56 bytes, a typed
// array 208: with those, 10,000 connections took 7 MiB more. Columns of objects grow with the first write; only the
// step is written for each request.

/**
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../templates/context').Context} Context
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('../instruments/stages/stage-tally').StageTally} StageTally
 */

/** No row. */
const NONE = -1

/** Makes an array one of doubles: no integer is -0. */
const ANY_TIME = -0

/** Shared columns for hooks and ids, while there are none: 1 MiB less with 10,000 connections. @type {any[]} */
const NONE_MADE = []

/** @param {number} length */
const times = length => /** @type {number[]} */ (new Array(length).fill(ANY_TIME))

/** @param {number} length */
const integers = length => /** @type {number[]} */ (new Array(length).fill(NONE))

class Exchanges {
  /**
   * @param {number} capacity how many requests may be in flight: the pipelining depth
   * @param {boolean} [staged] whether each request belongs to a stage
   */
  constructor (capacity, staged = false) {
    this.capacity = capacity
    this.count = 0
    this.oldest = NONE
    this.newest = NONE
    /** The row that is taken next; there is one while `count` < `capacity`. */
    this.free = 0
    this.started = times(capacity)
    this.origins = times(capacity)
    /** How often each was sent again after its connection ended. */
    this.resends = integers(capacity)
    // The rows that were sent before and after this one. For a free row, `newer` is the next free one.
    this.older = integers(capacity)
    this.newer = integers(capacity)
    for (let row = 0; row < capacity; row++) this.newer[row] = row + 1
    // Not more than its length: an empty array gets room for 17 at the first write.
    /** @type {CompiledStep[]} */
    this.steps = new Array(capacity)
    /** @type {number[]} which request of its list it is, where the step has one */
    this.entries = []
    /** Expected texts of the response, where the step has some. @type {Array<ReadonlyArray<string>>} */
    this.expected = []
    /** The stage to which each belongs. @type {StageTally[] | null} */
    this.stages = staged ? [] : null
    /** Whether the three columns below are used, for hooks or ids. */
    this.made = false
    /** @type {Array<Context | null>} */
    this.contexts = NONE_MADE
    /** @type {Array<Request | null>} as they were sent */
    this.requests = NONE_MADE
    /** @type {Array<Buffer | null>} */
    this.bytes = NONE_MADE
  }

  /**
   * @param {number} row a free one
   * @returns {number} the row that is taken after it
   */
  following (row) {
    return this.newer[row]
  }

  /**
   * A source writes a request that was not known beforehand.
   * @param {number} row a free one
   * @param {CompiledStep} step
   * @param {Context} context
   * @param {Request} request
   * @param {Buffer} bytes
   */
  write (row, step, context, request, bytes) {
    if (!this.made) {
      this.made = true
      this.contexts = []
      this.requests = []
      this.bytes = []
    }
    this.steps[row] = step
    this.contexts[row] = context
    this.requests[row] = request
    this.bytes[row] = bytes
  }

  /**
   * The request in the next free row is sent.
   * @param {number} startedAt when it is written, ms
   * @param {number} origin when its latency begins: then, or when it should have been written
   * @returns {number} its row
   */
  add (startedAt, origin) {
    const { free: row, newest } = this
    this.free = this.newer[row]
    this.older[row] = newest
    this.newer[row] = NONE
    if (newest === NONE) this.oldest = row
    else this.newer[newest] = row
    this.newest = row
    this.started[row] = startedAt
    this.origins[row] = origin
    this.resends[row] = 0
    this.count++
    return row
  }

  /** @param {number} row of the first of the newest requests that belong to it @param {StageTally} stage */
  enter (row, stage) {
    const stages = /** @type {StageTally[]} */ (this.stages)
    for (; row !== NONE; row = this.newer[row]) stages[row] = stage
  }

  /**
   * Requests without a rate are sent later than they were written.
   * @param {number} row of the first of them
   * @param {number} n
   * @param {number} at when they are sent, ms
   */
  restart (row, n, at) {
    for (let i = 0; i < n && row !== NONE; i++) {
      this.started[row] = this.origins[row] = at
      row = this.newer[row]
    }
  }

  /**
   * Requests were sent later than they were written, and that is no time of the server.
   * @param {number} row of the first of them
   * @param {number} n
   * @param {number} ms
   */
  delay (row, n, ms) {
    for (let i = 0; i < n && row !== NONE; i++) {
      this.started[row] += ms
      this.origins[row] += ms
      row = this.newer[row]
    }
  }

  /** @param {number} row of a request that has been completed, or is lost */
  remove (row) {
    const older = this.older[row]
    const newer = this.newer[row]
    if (older === NONE) this.oldest = newer
    else this.newer[older] = newer
    if (newer === NONE) this.newest = older
    else this.older[newer] = older
    this.newer[row] = this.free
    this.free = row
    this.count--
    if (this.made) this.contexts[row] = this.requests[row] = this.bytes[row] = null
  }

  /** @returns {number[]} of requests in flight, in the order of sending */
  rows () {
    const rows = []
    for (let row = this.oldest; row !== NONE; row = this.newer[row]) rows.push(row)
    return rows
  }

  /** @param {number} row @returns {string} the properties of the request that decide about a body and a repetition */
  methodOf (row) {
    return this.made && this.requests[row] ? /** @type {Request} */ (this.requests[row]).method : this.steps[row].method
  }

  /** Returns as it was sent. @type {(row: number) => Request} */
  requestOf (row) {
    const { listed, request } = this.steps[row]
    return (this.made ? this.requests[row] : null) ?? (listed ? listed.requestOf(this.entries[row]) : request)
  }

  /** Returns that of its iteration; a new one without hooks. @type {(row: number) => Context} */
  contextOf (row) {
    return (this.made ? this.contexts[row] : null) ?? {}
  }

  /** Returns that were sent, and are sent again as they were. @type {(row: number) => Buffer} */
  bytesOf (row) {
    const { listed, bytes } = this.steps[row]
    const made = this.made ? this.bytes[row] : null
    return /** @type {Buffer} */ (made ?? (listed ? listed.bytesOf(this.entries[row]) : bytes))
  }
}

module.exports = { Exchanges, NONE }
