'use strict'

// Opens a connection again: at once, after a pause, or when a file descriptor or port is free. It counts failed
// attempts without a request that could fail.

/**
 * The first pause before a reconnect after a connection without responses, and the longest, ms. The pause doubles each
 * time.
 */
const FIRST_PAUSE = 10
const LAST_PAUSE = 200

/** @typedef {Error & { code?: string }} CodedError */

class Reopening {
  /** @param {import('./connection').Connection} connection */
  constructor (connection) {
    this.connection = connection
    this.pause = 0
    /** Whether the last attempt found no free file descriptor or port. */
    this.isShort = false
    /** Whether it is in the waiting room. */
    this.isWaiting = false
    /** The error of the last connection, for its requests that are sent again. @type {CodedError | null} */
    this.lastEnd = null
  }

  /**
   * @param {CodedError | null} error
   * @param {CodedError | null} shortage of this machine
   * @param {boolean} connected
   * @returns {CodedError | null} the error for requests in flight: after a failed reconnect, requests to send again
   *   have the error of the last connection
   */
  causeOf (error, shortage, connected) {
    return connected || shortage !== null || error?.code === 'AC_TIMEOUT' ? shortage ?? error : this.lastEnd
  }

  /**
   * Counts a shortage of this machine once for any number of attempts, because the server does not cause it.
   * @param {CodedError} shortage
   */
  noteShortage (shortage) {
    const { recorder, observer } = this.connection
    if (!this.isShort) recorder.failUnsent(shortage, 1, observer)
    this.isShort = true
  }

  /**
   * Counts a failed attempt as an error without a request, or as the failure of a pending redirect. It uses up requests
   * of an amount, with an error for each: otherwise a run against a dead server would never end. If the connection has
   * waited, one of these errors has already been counted.
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
   * @param {boolean} isUsed whether the last connection received a response or a message
   */
  begin (waits, isUsed) {
    const { connection } = this
    const { shared } = connection
    // Requests to send again may time out while it waits.
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
