'use strict'

// Connections that wait because this machine has no free file descriptor or port. It wakes them when one may be free.

/** The interval of attempts, ms: one connection tries each time. */
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
    /** The number of connections with a socket or a pending connect. */
    this.holders = 0
    this.everOpened = false
    /** The start of the time in which connections wait and none has a socket. */
    this.noneSince = Infinity
    /** Whether this time has exceeded the timeout: connections then fail and do not wait. */
    this.givenUp = false
  }

  /**
   * While another connection has a socket, a file descriptor or port will become free; other threads may also free one.
   * After the timeout, all waiting connections try once more and fail as without a server: otherwise a run with an
   * amount would not end.
   * @param {Error & { code?: string }} shortage
   * @returns {boolean} whether to wait
   */
  admits ({ code }) {
    if (this.givenUp) return false
    if (this.holders > 0) {
      this.noneSince = Infinity
      return true
    }
    const at = this.now()
    this.noneSince = Math.min(this.noneSince, at)
    // Perhaps no address of this machine reaches the server, such as an IPv6 server from a machine without IPv6.
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

  /** A connection was opened, so a file descriptor and a port may be free for another one. */
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
