'use strict'

// Connections that wait because this machine has no file descriptor or port left. It wakes them when one may be free.

/** The interval in which one of them tries to connect, ms. */
const RETRY = 200

/** @typedef {{ readonly ended: boolean, open: () => void }} Connection */

class WaitingRoom {
  /**
   * @param {import('../core/clock').Clock} now
   * @param {number} timeout ms
   * @param {(delay: number, action: () => void) => void} after
   */
  constructor (now, timeout, after) {
    this.now = now
    this.timeout = timeout
    this.after = after
    /** @type {Connection[]} */
    this.waiting = []
    this.retrying = false
    /** How many connections have a socket, or are about to. */
    this.holders = 0
    this.everOpened = false
    /** Since when a socket has been needed while no connection had one. */
    this.noneSince = Infinity
    /** Whether that took longer than the timeout: connections fail then instead of waiting. */
    this.givenUp = false
  }

  /**
   * While another connection has a socket, a file descriptor or port will be free again; other threads may free one,
   * too. After the timeout, all that wait try once more, and fail as they do without a server: otherwise a run by
   * amount would not end.
   * @param {Error & { code?: string }} shortage
   * @returns {boolean} whether it makes sense to wait
   */
  admits ({ code }) {
    if (this.givenUp) return false
    if (this.holders > 0) {
      this.noneSince = Infinity
      return true
    }
    const at = this.now()
    this.noneSince = Math.min(this.noneSince, at)
    // Perhaps no address of this machine reaches the server, such as an IPv6 server without IPv6 here.
    const inVain = code === 'EADDRNOTAVAIL' && !this.everOpened
    if (!inVain && at - this.noneSince < this.timeout) return true
    this.givenUp = true
    const { waiting } = this
    this.waiting = []
    for (const connection of waiting) if (!connection.ended) connection.open()
    return false
  }

  /** @returns {boolean} whether a connection waits */
  get hasWaiting () {
    return this.waiting.some(({ ended }) => !ended)
  }

  /** @param {Connection} connection */
  enter (connection) {
    this.waiting.push(connection)
    this.retryLater()
  }

  retryLater () {
    if (this.retrying) return
    this.retrying = true
    this.after(RETRY, () => {
      this.retrying = false
      this.next()
      if (this.waiting.length > 0) this.retryLater()
    })
  }

  /** A connection was opened, so there may be a file descriptor and a port for another one. */
  onOpened () {
    this.everOpened = true
    this.noneSince = Infinity
    this.givenUp = false
    this.next()
  }

  next () {
    let connection = this.waiting.shift()
    while (connection?.ended) connection = this.waiting.shift()
    connection?.open()
  }
}

module.exports = { WaitingRoom }
