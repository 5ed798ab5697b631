'use strict'

// Events of one stream that a user function has not read yet. The socket cannot be paused, because connections share a
// read buffer. So the stream ends if too many events are left after the function has run.

const { ProtocolError } = require('../core/errors')
const { NEVER } = require('./ends')

/** The limit of waiting bytes in one stream. */
const MOST_BYTES = 16 * 1024 * 1024
/** The limit of bytes that one read may add, before the function has run. */
const MOST_AT_ONCE = 4 * MOST_BYTES
/** The limit of waiting bytes in all streams of a thread. */
const MOST_IN_ALL = 256 * 1024 * 1024
/** The size of an event beside its bytes. */
const OVERHEAD = 200

/**
 * @typedef {{ bytes: number }} Backlog of all streams of a thread
 * @typedef {{ message: any, size: number }} Waiting
 */

class Events {
  /**
   * @param {Backlog} backlog
   * @param {() => boolean} isSealed whether the run is over for the user
   * @param {() => void} onMany many events wait: checks whether they are too many after functions have run
   */
  constructor (backlog, isSealed, onMany) {
    this.backlog = backlog
    this.isSealed = isSealed
    this.onMany = onMany
    /** @type {Waiting[]} */
    this.list = []
    this.first = 0
    this.bytes = 0
    /** Whether no more events follow. */
    this.isOver = false
    /** Whether that check is pending. */
    this.isLookedAt = false
    /** Why no more events follow; null for the end of the stream. @type {Error | null} */
    this.error = null
    /** Resolves with the next event, for all callers of `next`. @type {Promise<void> | null} */
    this.news = null
    this.announce = () => {}
  }

  get length () {
    return this.list.length - this.first
  }

  /** @type {(message: any, size: number) => void} */
  push (message, size) {
    if (this.isOver) return
    this.list.push({ message, size: size + OVERHEAD })
    this.bytes += size + OVERHEAD
    this.backlog.bytes += size + OVERHEAD
    if (this.areMany && !this.isLookedAt) {
      this.isLookedAt = true
      this.onMany()
    }
    this.wake()
  }

  /** @returns {boolean} whether the function waits for the next one */
  get areAwaited () {
    return this.news !== null
  }

  /** A single event may be larger than the limit. */
  get areMany () {
    return this.length > 1 && (this.bytes > MOST_BYTES || this.backlog.bytes > MOST_IN_ALL)
  }

  /** Too many even before the function has run. */
  get areFar () {
    return this.bytes > MOST_AT_ONCE && this.length > 1
  }

  wake () {
    this.news = null
    this.announce()
  }

  /** @returns {Waiting} the oldest one, of which there is one */
  take () {
    const oldest = this.list[this.first]
    this.list[this.first++] = /** @type {any} */ (undefined)
    if (2 * this.first > this.list.length) {
      this.list = this.list.slice(this.first)
      this.first = 0
    }
    this.bytes -= oldest.size
    this.backlog.bytes -= oldest.size
    return oldest
  }

  /** No more events follow. Waiting events are read first. @param {Error | null} error */
  end (error) {
    if (this.isOver) return
    this.isOver = true
    this.error = error
    this.wake()
  }

  /**
   * The function has stopped reading.
   * @param {Error | null} error that a pending `next` rejects with
   */
  drop (error) {
    this.backlog.bytes -= this.bytes
    this.bytes = 0
    this.list = []
    this.first = 0
    this.isOver = true
    this.error = error
    this.wake()
  }

  /** @returns {Promise<Waiting | null>} the next one; null at the end. It rejects with the error that ended them */
  async next () {
    if (this.isSealed()) await NEVER
    while (this.length === 0 && !this.isOver) {
      this.news ??= new Promise(resolve => { this.announce = resolve })
      await this.news
    }
    if (this.length > 0) return this.take()
    if (this.error !== null) throw this.error
    return null
  }
}

/** @returns {ProtocolError} for a line or an event that is no JSON */
const notJson = (/** @type {string} */ what, /** @type {string} */ request) =>
  new ProtocolError('AC_JSON', `${what} of the stream of ${request} is not JSON`)

module.exports = { Events, MOST_IN_ALL, OVERHEAD, notJson }
