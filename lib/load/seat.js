'use strict'

// Owns a user's place on a connection that several share: to its Connection it is socket and wire, for one request at a time. When bytes are read and
// written is the carrier's.

const { EventEmitter } = require('node:events')

/** @typedef {import('./carrier').Carrier} Carrier */

/** In place of a socket. */
class Seat extends EventEmitter {
  /**
   * @param {import('../scenario/target').Target} target
   * @param {import('../wire/transport').ReadInto} onread called with 0 when a read has brought the user something
   * @param {(seat: any) => void} onReady called when the carrier takes requests
   */
  constructor (target, onread, onReady) {
    super()
    this.target = target
    this.onread = onread
    this.onReady = onReady
    /** Set when the seat is given. @type {Carrier} */
    this.carrier = /** @type {any} */ (null)
    this.row = 0
    this.isReady = false
    /** Whether its first request was sent before, on another connection. */
    this.repeats = false
    /** Whether the read that goes on has brought it something. */
    this.isTouched = false
    /** @type {SeatWire | null} */
    this.wire = null
    /** A user has one request in flight, so what it writes does not pile up. */
    this.writableLength = 0
  }

  /** The carrier takes requests. */
  ready () {
    this.isReady = true
    this.onReady(this)
  }

  /** @param {Error | null} error null after an orderly end */
  end (error) {
    if (error === null) this.emit('end')
    else this.emit('error', error)
  }

  /** Why the connection is not there, where somebody knows better than that it takes too long. */
  get late () {
    return this.carrier.wire.late ?? this.carrier.socket?.late
  }

  /** @returns {boolean} whether the attempt to connect that has failed is not counted yet: others have waited for it, too */
  countAttempt () {
    const { carrier } = this
    const isNew = !carrier.isCounted
    carrier.isCounted = true
    return isNew
  }

  destroy () {
    this.carrier.leave(this)
  }
}

/** In place of a wire. */
class SeatWire {
  /**
   * @param {import('./answers').Answers} receiver of the user
   * @param {import('./exchanges').Exchanges} inFlight of the user: one row
   */
  constructor (receiver, inFlight) {
    this.receiver = receiver
    this.inFlight = inFlight
    /** @type {Seat | null} */
    this.seat = null
    this.ready = true
    /** How an exchange ends the carrier tells the seat. */
    this.stopped = false
    /** @type {Error & { code?: string } | null} */
    this.error = null
    this.capacity = Infinity
    /** Whether the request in flight waited for its first stream when the last connection ended. */
    this.hasWaited = false
  }

  /** @param {any} seat */
  open (seat) {
    this.seat = seat
    seat.wire = this
    seat.repeats = this.inFlight.count > 0
    this.capacity = Infinity
    return true
  }

  /** @param {Buffer} bytes */
  write (bytes) {
    const seat = /** @type {Seat} */ (this.seat)
    seat.carrier.write(bytes, seat)
    return true
  }

  flush () {
    this.seat?.carrier.flush()
    return true
  }

  /** The carrier has read what there is. */
  read () {
    if (this.seat !== null) this.receiver.readAt = this.seat.carrier.readAt
  }

  readIdle () {
    return true
  }

  hasBegun () {
    const { carrier, row } = /** @type {Seat} */ (this.seat)
    return carrier.wire.hasBegun(row)
  }

  untouched () {
    const { carrier, row } = /** @type {Seat} */ (this.seat)
    return carrier.wire.untouched(row)
  }

  cancel () {
    const seat = /** @type {Seat} */ (this.seat)
    return seat.carrier.cancel(seat)
  }

  finish () {}

  close () {
    this.seat = null
  }

  stop () {
    this.seat = null
  }
}

module.exports = { Seat, SeatWire }
