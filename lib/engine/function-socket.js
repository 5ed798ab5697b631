'use strict'

// The connection of one WebSocket of a user function: it is opened only once.

const { Connection } = require('./connection')

class FunctionSocket extends Connection {
  /** @param {ConstructorParameters<typeof Connection>[0]} needs */
  constructor (needs) {
    super(needs)
    this.isOver = false
    // The load does not wait for this connection.
    this.attempted = true
    /**
     * The error of the failed first attempt to open it.
     * @type {{ error: Error & { code?: string }, since: number } | null}
     */
    this.shortage = null
  }

  get lane () {
    return /** @type {import('../functions/sockets/socket-lane').SocketLane} */ (/** @type {unknown} */ (this.source))
  }

  get ofPeer () {
    return /** @type {any} */ (this.peer)
  }

  get isDone () {
    return this.isOver || super.isDone
  }

  /** Uses up a message of the budget, so that a run with an amount ends although the server is down. */
  get forgoes () {
    return 1
  }

  opened () {
    super.opened()
    if (!this.ended) this.lane.opened()
  }

  /**
   * Limits the wait for a file descriptor or port to the connect timeout, because the user function awaits the socket.
   * @type {Connection['awaits']}
   */
  awaits (shortage) {
    this.shortage ??= { error: shortage, since: this.now() }
    return this.now() - this.shortage.since < this.shared.connectTimeout && super.awaits(shortage)
  }

  /** @type {Connection['breaksOff']} */
  breaksOff (error) {
    this.isOver = true
    this.lane.brokeOff(error)
  }

  /** @param {number} at */
  checkDeadline (at) {
    super.checkDeadline(at)
    const { shortage, reopening, shared: { connectTimeout } } = this
    if (reopening.isWaiting && !this.ended && shortage !== null && at - shortage.since >= connectTimeout) {
      this.closed(shortage.error)
    }
  }

  /** Stops attempts to open it. */
  quit () {
    if (this.ended) return
    this.isOver = true
    this.end()
  }

  unpark () {
    super.unpark()
    if (this.isOpen) this.peer.flush()
  }

  /** @type {Connection['waitingSince']} */
  get waitingSince () {
    return this.lane.isListening ? Infinity : super.waitingSince
  }

  /** Completes the row with the awaited message. @type {(row: number, message: Buffer) => void} */
  deliver (row, message) {
    this.ofPeer.deliver(row, message)
  }

  /** @param {Buffer} frame of a message without a response */
  post (frame) {
    this.ofPeer.post(frame)
  }

  ping () {
    this.ofPeer.ping()
  }

  /** @type {(code: number, reason: string) => void} */
  depart (code, reason) {
    this.isOver = true
    this.ofPeer.depart(code, reason)
    this.end()
  }
}

module.exports = { FunctionSocket }
