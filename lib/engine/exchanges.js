'use strict'

// The requests in flight of one connection, in a table with a row per request and a column per property. Rows are
// linked in sending order, so that the oldest is known for any order of responses.
//
// A source writes a request into the next free rows (`free`, then `following`), and `add` takes them in this order.
// Times and links are arrays of numbers, which V8 keeps unboxed. With one row an array takes 56 bytes, and a typed
// array 208: 10,000 connections took 7 MiB more with typed arrays. Columns of objects grow with the first write; only
// the step is written for each request.

/**
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../templates/context').Context} Context
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('../instruments/stages/stage-tally').StageTally} StageTally
 */

/** No row. */
const NONE = -1

/** Makes V8 store an array as doubles, because -0 is not a small integer. */
const ANY_TIME = -0

/**
 * Shared empty columns for connections without hooks and ids, which saves 1 MiB with 10,000 connections.
 * @type {any[]}
 */
const NONE_MADE = []

/** @param {number} length */
const times = length => /** @type {number[]} */ (new Array(length).fill(ANY_TIME))

/** @param {number} length */
const integers = length => /** @type {number[]} */ (new Array(length).fill(NONE))

class Exchanges {
  /**
   * @param {number} capacity limit of requests in flight: the pipelining depth
   * @param {boolean} [staged] whether each request belongs to a stage
   */
  constructor (capacity, staged = false) {
    this.capacity = capacity
    this.count = 0
    this.oldest = NONE
    this.newest = NONE
    /** The next free row; valid while `count` < `capacity`. */
    this.free = 0
    this.started = times(capacity)
    this.origins = times(capacity)
    /** The number of repetitions of each request after a lost connection. */
    this.resends = integers(capacity)
    // The previous and the next row in sending order. For a free row, `newer` is the next free one.
    this.older = integers(capacity)
    this.newer = integers(capacity)
    for (let row = 0; row < capacity; row++) this.newer[row] = row + 1
    // Filled at once to its final length: V8 would allocate 17 elements at the first write to an empty array.
    /** @type {CompiledStep[]} */
    this.steps = new Array(capacity)
    /** @type {number[]} index of the request in its list, for steps with a list */
    this.entries = []
    /** Expected texts of the response, for steps with such texts. @type {Array<ReadonlyArray<string>>} */
    this.expected = []
    /** The stage to which each belongs. @type {StageTally[] | null} */
    this.stages = staged ? [] : null
    /** Whether hooks or ids use the three columns below. */
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
   * @returns {number} the next free row
   */
  following (row) {
    return this.newer[row]
  }

  /**
   * Stores a request that a source has built for this row.
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
   * Adds the request in the next free row.
   * @param {number} startedAt time of the write, ms
   * @param {number} origin start of its latency: the write, or the intended time
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

  /**
   * @param {number} row of the first of the newest requests; it and later ones belong to the stage
   * @param {StageTally} stage
   */
  enter (row, stage) {
    const stages = /** @type {StageTally[]} */ (this.stages)
    for (; row !== NONE; row = this.newer[row]) stages[row] = stage
  }

  /**
   * Moves the start of requests without a rate from the write to the send.
   * @param {number} row of the first of them
   * @param {number} n
   * @param {number} at time of the send, ms
   */
  restart (row, n, at) {
    for (let i = 0; i < n && row !== NONE; i++) {
      this.started[row] = this.origins[row] = at
      row = this.newer[row]
    }
  }

  /**
   * Excludes the delay between write and send from latencies, because the server did not cause it.
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

  /** @returns {number[]} rows of requests in flight, in sending order */
  rows () {
    const rows = []
    for (let row = this.oldest; row !== NONE; row = this.newer[row]) rows.push(row)
    return rows
  }

  /**
   * @param {number} row
   * @returns {string} the method, which determines whether the response has a body and whether the request may be
   *   repeated
   */
  methodOf (row) {
    return this.made && this.requests[row] ? /** @type {Request} */ (this.requests[row]).method : this.steps[row].method
  }

  /** Returns the request as it was sent. @type {(row: number) => Request} */
  requestOf (row) {
    const { listed, request } = this.steps[row]
    return (this.made ? this.requests[row] : null) ?? (listed ? listed.requestOf(this.entries[row]) : request)
  }

  /** Returns the context of its iteration; without hooks, a new object. @type {(row: number) => Context} */
  contextOf (row) {
    return (this.made ? this.contexts[row] : null) ?? {}
  }

  /** Returns the sent bytes, for a repetition. @type {(row: number) => Buffer} */
  bytesOf (row) {
    const { listed, bytes } = this.steps[row]
    const made = this.made ? this.bytes[row] : null
    return /** @type {Buffer} */ (made ?? (listed ? listed.bytesOf(this.entries[row]) : bytes))
  }
}

module.exports = { Exchanges, NONE }
