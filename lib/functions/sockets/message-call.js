'use strict'

// One message that a user function sends over a WebSocket and that has a response.

const { Call } = require('../call')
const { ends } = require('../ends')
const { Reply } = require('./message')

/** One that has none. */
class Post {
  /** @param {Buffer} frame */
  constructor (frame) {
    this.frame = frame
    /** @type {any} */
    this.next = null
    /** Resolves when it is written. @type {Promise<void>} */
    this.promise = new Promise(ends.keep)
    /** @type {(value?: void) => void} */
    this.resolve = ends.resolve
    /** @type {(error: Error) => void} */
    this.refuse = ends.reject
    ends.forget()
    // A function need not wait for it.
    this.promise.catch(() => {})
  }
}

class MessageCall extends Call {
  /**
   * @param {import('../iteration').Iteration} iteration
   * @param {import('../requests/requests').PreparedRequest} prepared
   * @param {import('./socket-lane').SocketLane} lane
   * @param {{ frame: Buffer, payload: Buffer }} message
   * @param {number} at the time now
   */
  constructor (iteration, prepared, lane, { frame }, at) {
    super(iteration, prepared, at)
    this.lane = lane
    this.frame = frame
    /** Its expectation is known before it is sent. @type {string[] | null} */
    this.expected = null
    /** @type {any} */
    this.rule = null
  }

  /** @type {Call['responseOf']} */
  responseOf (reader) {
    const { lane, name } = this
    return /** @type {any} */ (new Reply(lane.isText, /** @type {any} */ (reader), name, lane.url))
  }

  /** @type {Call['receive']} */
  receive (reader) {
    // That of its `match`.
    if (this.failure !== null) return false
    return super.receive(reader)
  }

  /** @type {Call['errorOf']} */
  errorOf (code, message) {
    return this.lane.errorOf(code, message, this.name)
  }
}

module.exports = { MessageCall, Post }
