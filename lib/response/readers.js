'use strict'

// The readers of one connection: one for each incomplete response, so one at a time unless the protocol interleaves
// responses. Idle connections have none: connections with the same hooks share free ones.

const { ResponseReader } = require('./reader')

class Readers {
  /** @param {import('./reader').ResponseHooks} hooks */
  constructor (hooks) {
    this.hooks = hooks
    /** Whether to compare bodies. */
    this.judgesBody = hooks.verifyBody !== undefined || hooks.expectBody !== undefined
    /** Null if bodies are not decoded. */
    this.decoder = hooks.decoder ?? null
    /** Whether responses may be streams. */
    this.areStreams = hooks.streams !== undefined && hooks.streams !== null
    /** Whether all responses may be streams, and not only those to certain requests. */
    this.areAllStreams = this.areStreams
    /**
     * The messages of the next response, if only some requests have streams; null for other requests. It may be a free
     * one of another connection.
     * @type {import('./response-stream').ResponseStream | null}
     */
    this.expected = null
    /** Whether a stream needs no more messages. */
    this.hasOver = false
    /** @type {import('./client').Client | null} null without listeners */
    this.client = null
    /**
     * Reconnects interrupted streams of the connection; null without reconnects.
     * @type {import('../users/reconnect').Reconnect | null}
     */
    this.reconnect = null
    this.free = hooks.free
    // Created with one element: V8 would allocate 17 elements for an empty array that grows, for each connection.
    /** @type {Array<ResponseReader | null>} */
    this.busy = [null]
    this.count = 0
    /** @type {Array<ResponseReader | null>} busy readers by row of the request */
    this.byRow = [null]
  }

  /** @param {import('./response-stream').ResponseStream | null} stream of the only request in flight; null for none */
  expect (stream) {
    this.expected = stream
    this.areStreams = stream !== null
    this.hasOver = false
  }

  /** @param {number} row of the request; its response begins */
  take (row) {
    const reader = this.free.pop() ?? new ResponseReader(this)
    if (!this.areAllStreams) reader.stream = this.expected
    reader.readers = this
    this.busy[this.count++] = reader
    this.byRow[row] = reader
    return reader
  }

  /**
   * Returns the reader of a row; null if its response is not inspected from the start.
   * @type {(row: number) => ResponseReader | null}
   */
  of (row) {
    return this.byRow[row] ?? null
  }

  /** @param {number} row of a request with a complete or lost response */
  release (row) {
    const reader = this.of(row)
    if (reader === null) return
    this.byRow[row] = null
    const { busy } = this
    const last = busy[--this.count]
    busy[this.count] = null
    if (last !== reader) busy[busy.indexOf(reader)] = last
    this.free.push(reader)
  }

  /** Copies the needed parts before the buffer of the read is reused. */
  keep () {
    for (let i = 0; i < this.count; i++) this.busy[i]?.keep()
  }

  /**
   * @param {number} row of a request in flight
   * @returns {import('./response-stream').ResponseStream | null} the messages of its response; null if it is not a
   *   stream, or has not begun
   */
  streamOf (row) {
    const stream = this.of(row)?.stream ?? null
    return stream !== null && stream.isOpen ? stream : null
  }

  /** Frees the readers of incomplete responses. */
  reset () {
    this.hasOver = false
    while (this.count > 0) {
      const reader = /** @type {ResponseReader} */ (this.busy[--this.count])
      this.busy[this.count] = null
      this.free.push(reader)
    }
    this.byRow.fill(null)
  }
}

module.exports = { Readers }
