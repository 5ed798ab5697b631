'use strict'

// Owns the sockets of one connection that lead elsewhere than where it sends now: a user that follows redirects comes back to them.

/** More than a login, a shop and what serves its pictures nobody needs; each takes a file descriptor. */
const MAX_PARKED = 3

/**
 * @typedef {object} Parked
 * @property {import('node:net').Socket} socket
 * @property {import('./connection').Wire} wire that speaks on it
 * @property {import('../scenario/target').Target} target
 * @property {number} left how many more requests it may carry
 */

class ParkedSockets {
  /** @param {() => void} onClosed one of them has been closed */
  constructor (onClosed) {
    this.onClosed = onClosed
    /** @type {Parked[]} the one that was used last stands last */
    this.list = []
  }

  /** @param {Parked} parked */
  add (parked) {
    if (this.list.length === MAX_PARKED) this.drop(this.list[0].socket)
    this.list.push(parked)
  }

  /**
   * @param {import('../scenario/target').Target} target
   * @returns {Parked | null} one that leads there, which is the caller's from now on
   */
  take (target) {
    const i = this.list.findIndex(parked => parked.target === target)
    return i === -1 ? null : this.list.splice(i, 1)[0]
  }

  /**
   * Bytes have arrived. Nobody waits for an answer there.
   * @param {import('node:net').Socket} socket that may be parked
   * @param {Buffer} buffer
   * @param {number} end of them in the buffer
   * @param {number} start
   */
  read (socket, buffer, end, start) {
    const parked = this.list.find(parked => parked.socket === socket)
    if (parked !== undefined && !parked.wire.readIdle(buffer, end, start)) this.drop(socket)
  }

  /**
   * The server has closed it, or sends what nobody asked for.
   * @param {import('node:net').Socket} socket that may be parked
   */
  drop (socket) {
    const i = this.list.findIndex(parked => parked.socket === socket)
    if (i === -1) return
    this.list.splice(i, 1)
    socket.destroy()
    this.onClosed()
  }

  /** Closes all of them. */
  close () {
    while (this.list.length > 0) this.drop(this.list[0].socket)
  }
}

module.exports = { ParkedSockets }
