'use strict'

// The readers of one connection: one for each response that is being received. There is one at a time unless the
// protocol interleaves responses. Connections that wait have none: those with the same hooks share free ones.

const { ResponseReader } = require('./reader')

class Readers {
  /** @param {import('./reader').ResponseHooks} hooks */
  constructor (hooks) {
    this.hooks = hooks
    /** Whether it compares bodies. */
    this.judgesBody = hooks.verifyBody !== undefined || hooks.expectBody !== undefined
    /** Null where bodies are left as they come. */
    this.decoder = hooks.decoder ?? null
    /** Whether responses may be streams. */
    this.areStreams = hooks.streams !== undefined && hooks.streams !== null
    /** Whether all of them may be, and not those to single requests. */
    this.areAllStreams = this.areStreams
    /**
     * The messages of the next response, where requests differ in that; null for one that is taken as a whole. A free
     * one may come from another connection.
     * @type {import('./response-stream').ResponseStream | null}
     */
    this.expected = null
    /** Whether no more is wanted of one of them. */
    this.hasOver = false
    /** @type {import('./client').Client | null} with listeners, perhaps */
    this.client = null
    /**
     * Continues streams of the connection; null where they are not continued.
     * @type {import('../users/reconnect').Reconnect | null}
     */
    this.reconnect = null
    this.free = hooks.free
    // With room for one: an array that grows from nothing has room for 17, and there is one for each connection.
    /** @type {Array<ResponseReader | null>} */
    this.busy = [null]
    this.count = 0
    /** @type {Array<ResponseReader | null>} the busy ones by the row of the request that is completed */
    this.byRow = [null]
  }

  /** @param {import('./response-stream').ResponseStream | null} stream of the one request in flight; null for none */
  expect (stream) {
    this.expected = stream
    this.areStreams = stream !== null
    this.hasOver = false
  }

  /** @param {number} row of the request whose response begins */
  take (row) {
    const reader = this.free.pop() ?? new ResponseReader(this)
    if (!this.areAllStreams) reader.stream = this.expected
    reader.readers = this
    this.busy[this.count++] = reader
    this.byRow[row] = reader
    return reader
  }

  /** Returns null when its response was not inspected from its start. @type {(row: number) => ResponseReader | null} */
  of (row) {
    return this.byRow[row] ?? null
  }

  /** @param {number} row of a request whose response is complete, or never will be */
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

  /** The buffer of the read is about to be reused: copies the needed part. */
  keep () {
    for (let i = 0; i < this.count; i++) this.busy[i]?.keep()
  }

  /**
   * @param {number} row of a request in flight
   * @returns {import('./response-stream').ResponseStream | null} the messages of its response; null where that is no
   *   stream, or has not begun
   */
  streamOf (row) {
    const stream = this.of(row)?.stream ?? null
    return stream !== null && stream.isOpen ? stream : null
  }

  /** The responses that are being read never end. */
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
