'use strict'

// How a connection is opened again: at once, after a pause, or as soon as this machine has a descriptor or port for it.
// It counts attempts that had no request to fail.

/** The first pause before a reconnect after a connection that brought nothing, in ms; it doubles up to the last. */
const FIRST_PAUSE = 10
const LAST_PAUSE = 200

/** @typedef {Error & { code?: string }} CodedError */

class Reopening {
  /** @param {import('./connection').Connection} connection */
  constructor (connection) {
    this.connection = connection
    this.pause = 0
    /** Whether it has found no descriptor or port. */
    this.isShort = false
    /** Whether it is in the waiting room for that. */
    this.isWaiting = false
    /** How the connection ended whose requests are sent again. @type {CodedError | null} */
    this.lastEnd = null
  }

  /**
   * @param {CodedError | null} error
   * @param {CodedError | null} shortage of this machine
   * @param {boolean} connected
   * @returns {CodedError | null} why requests in flight fail: those that were to be sent again and found no connection
   *   have the error of the last one
   */
  causeOf (error, shortage, connected) {
    return connected || shortage !== null || error?.code === 'AC_TIMEOUT' ? shortage ?? error : this.lastEnd
  }

  /** Counted once for any number of attempts, as the server does not cause it. @param {CodedError} shortage */
  noteShortage (shortage) {
    const { recorder, observer } = this.connection
    if (!this.isShort) recorder.failUnsent(shortage, 1, observer)
    this.isShort = true
  }

  /**
   * Nothing was sent, so no request has a fate: the failed attempt is an error by itself, as is a redirect that waited
   * for it. It uses up its part of an amount, an error for each request: a run against a dead server would never end
   * otherwise. If the connection has waited, one of these errors is counted already.
   * @param {CodedError} error
   * @param {boolean} isShortage
   */
  failAttempt (error, isShortage) {
    const { connection } = this
    const { fates, peer, recorder, observer } = connection
    const isLost = fates.strand(error)
    // The error may have ended the connection, which changes its budget.
    const { budget, forgoes } = connection
    const forgone = budget.left === Infinity ? 0 : budget.take(forgoes)
    const isCounted = this.isShort && isShortage
    const attempts = !isCounted && (peer.countFailure() || isLost) ? 1 : 0
    const lost = budget.left === Infinity ? attempts : forgone - (isCounted ? 1 : 0)
    this.isShort = false
    recorder.forgone += forgone
    recorder.failUnsent(error, lost, observer)
    recorder.losePending(NaN, lost + (isCounted ? 1 : 0), connection.stages?.current)
  }

  /**
   * @param {boolean} waits whether it waits for a file descriptor or port
   * @param {boolean} isUsed whether the last connection had a response or a message
   */
  begin (waits, isUsed) {
    const { connection } = this
    const { shared } = connection
    // Requests to be sent again may time out while it waits.
    if (this.isWaiting) return
    if (waits) {
      this.isWaiting = true
      shared.waitingRoom.enter(connection)
    } else if (isUsed) {
      this.pause = 0
      shared.reopen(connection)
    } else {
      this.pause = Math.min(Math.max(FIRST_PAUSE, this.pause * 2), LAST_PAUSE)
      shared.after(this.pause, () => { if (!connection.ended) connection.open() })
    }
  }
}

module.exports = { Reopening }
