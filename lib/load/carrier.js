'use strict'

// Owns one connection that several users share, each with at most one request in flight on it: a read is handed to those whose answers were in it, and
// what they send then goes out in one write. How requests are bytes is the wire's, what becomes of them each user's Connection's.

const { ConnectionError } = require('../errors')

// CONNECTING, it takes no requests yet; RETIRED, it takes no more, and ends when those that it has are answered; GONE, its socket is closed.
const CONNECTING = 0
const OPEN = 1
const RETIRED = 2
const GONE = 3

// Behind those who wait for an answer: who has just come, and who has nothing to wait for.
const COMES = Number.MAX_VALUE / 2
const IDLE = Number.MAX_VALUE

/**
 * @typedef {import('./seat').Seat} Seat
 * @typedef {import('./seat').SeatWire} SeatWire
 */

class Carrier {
  /**
   * @param {import('./carriers').Carriers} carriers
   * @param {string} key which server it leads to
   */
  constructor (carriers, key) {
    const { size, shared } = carriers
    this.carriers = carriers
    this.shared = shared
    this.key = key
    this.state = CONNECTING
    // What a wire asks of the one who receives answers, and of what is in flight: a row is a seat.
    this.capacity = size
    this.newer = new Int32Array(size)
    this.readAt = 0
    this.arrival = -1
    this.looks = true
    /** @type {Array<Seat | null>} */
    this.seats = new Array(size).fill(null)
    /** Whether there is a request in flight, by row. */
    this.busy = new Uint8Array(size)
    /** Whether it was sent before on another connection, and whether it waits for its first stream on this one. */
    this.again = new Uint8Array(size)
    this.waits = new Uint8Array(size)
    /** Whether the socket wants no more until the peer reads, and since when; rows whose request waits for that. */
    this.blocked = false
    this.blockedAt = 0
    /** @type {number[]} */
    this.held = []
    /** Rows without a seat, the first one last. */
    this.free = Array.from({ length: size }, (_, i) => size - 1 - i)
    this.taken = 0
    /** How many answers it has brought. */
    this.answered = 0
    /** How many more requests it may carry. */
    this.left = shared.perSocket
    /** Those whom the read that goes on has brought something. @type {Seat[]} */
    this.touched = []
    /** Whether several users write in a row: what they write goes out behind the last one. */
    this.batching = false
    /** Whether users who have come to the open connection will be told so in the next turn. */
    this.admits = false
    this.connectingSince = shared.now()
    /** Whether it is an error that it could not be made. */
    this.isCounted = false
    /** @type {import('../wire/transport').Link | null} */
    this.socket = null
    this.wire = shared.protocol.open(/** @type {any} */ (this), /** @type {any} */ (this))
  }

  /** @returns {boolean} whether it takes requests, or did so until it was given as many as it may carry */
  get isOpen () {
    return this.state === OPEN || this.state === RETIRED
  }

  /** @returns {boolean} whether one more user may have a seat. Nobody waits for a connection that should be there by now */
  get takes () {
    if (this.free.length === 0) return false
    return this.state === OPEN || (this.state === CONNECTING && this.shared.now() - this.connectingSince < this.shared.connectTimeout)
  }

  /** @param {import('../scenario/target').Target} target */
  connect (target) {
    const { shared } = this
    const onread = {
      buffer: shared.readBuffer,
      /** @type {import('../wire/transport').ReadInto['callback']} */
      callback: (size, buffer, start = 0, arrival = -1, seen = -1) => {
        if (this.socket === socket) this.read(size, buffer, start, arrival, seen)
        return true
      }
    }
    let socket = shared.connect(target, onread, ready => {
      if (this.socket !== socket) return
      // Through a proxy, there is a socket only now.
      if (ready !== socket) this.hear(this.socket = socket = ready)
      if (this.wire.open(ready)) this.becomeOpen()
      else this.greet()
    })
    this.socket = socket
    this.hear(socket)
  }

  /** @param {import('../wire/transport').Link} socket */
  hear (socket) {
    socket.on('drain', () => { if (this.socket === socket) this.drain() })
    socket.on('full', () => { if (this.socket === socket) this.block() })
    socket.on('error', error => { if (this.socket === socket) this.settle(error) })
    socket.on('end', () => { if (this.socket === socket) this.settle(null) })
    socket.on('close', () => { if (this.socket === socket) this.settle(null) })
  }

  /** @param {Seat} seat of somebody who comes */
  take (seat) {
    const row = /** @type {number} */ (this.free.pop())
    this.seats[row] = seat
    this.taken++
    seat.carrier = this
    seat.row = row
    if (this.state !== OPEN || this.admits) return
    this.admits = true
    this.carriers.soon(() => {
      this.admits = false
      if (this.state === OPEN) this.admit()
    })
  }

  /**
   * @param {Seat} seat
   * @returns {boolean} whether its user is still here: the failure of one request may end the run, and then all users have left
   */
  has (seat) {
    return this.seats[seat.row] === seat
  }

  /** @param {Seat} seat of somebody who goes */
  leave (seat) {
    const { row } = seat
    if (!this.has(seat)) return
    this.seats[row] = null
    this.taken--
    // What is in flight when the run ends may still be answered.
    if (this.busy[row] === 0) this.free.push(row)
    if (this.state === GONE) return
    if (this.taken === 0) this.close()
    else this.carriers.offer(this)
  }

  /** The connection is there, and takes requests when the peer has said so. */
  greet () {
    const { wire } = this
    if (wire.stopped) return this.settle(wire.error)
    wire.flush()
    if (wire.ready) this.becomeOpen()
  }

  becomeOpen () {
    this.state = OPEN
    this.shared.onConnected(this.shared.now() - this.connectingSince)
    this.admit()
  }

  /** Those who wait for the connection send. */
  admit () {
    this.batching = true
    for (const seat of this.seats) if (seat !== null && !seat.isReady) seat.ready()
    this.batching = false
    this.flush()
  }

  /**
   * @param {Buffer} bytes of one request
   * @param {Seat} seat
   */
  write (bytes, seat) {
    const { row } = seat
    const wire = /** @type {SeatWire} */ (seat.wire)
    this.busy[row] = 1
    this.waits[row] = 0
    this.again[row] = seat.repeats && !wire.hasWaited ? 1 : 0
    // It is counted as sent again, and no stream has carried it yet.
    if (seat.repeats && wire.hasWaited) wire.receiver.onWait()
    seat.repeats = wire.hasWaited = false
    if (this.blocked) {
      this.held.push(row)
      this.onWait(row)
    } else {
      this.wire.write(bytes, row)
    }
    if (--this.left === 0) this.retire()
  }

  flush () {
    const { socket } = this
    if (this.batching || socket === null || this.wire.flush() || this.blocked || socket.writableLength === 0) return
    this.block()
  }

  /** The socket wants no more until the peer has read. */
  block () {
    if (this.blocked) return
    this.blocked = true
    this.blockedAt = this.shared.now()
  }

  /** The peer has read what was written: what has waited for that is sent, in the order in which it came. */
  drain () {
    const { held, seats } = this
    this.blocked = false
    this.held = []
    this.batching = true
    for (const row of held) {
      // Who has gone meanwhile took it along.
      if (seats[row] === null) continue
      this.onRepeat(row)
      this.wire.write(this.bytesOf(row), row)
    }
    this.batching = false
    this.flush()
  }

  /** @returns {boolean} whether the peer has not read what was sent for as long as a request may take: nothing more can be sent here */
  get isDeaf () {
    const { now, timeout } = this.shared
    return this.blocked && now() - this.blockedAt >= timeout
  }

  /**
   * @param {number} size of what has arrived
   * @param {Buffer} buffer
   * @param {number} start where it begins
   * @param {number} arrival see Connection
   * @param {number} seen
   */
  read (size, buffer, start, arrival, seen) {
    const { wire, shared, touched } = this
    const { arrived } = shared.recorder
    this.arrival = arrival
    this.readAt = arrival === -1 ? shared.now() : arrival
    shared.recorder.read(size)
    this.batching = true
    wire.read(buffer, start + size, start)
    if (arrival !== -1) shared.recorder.readLate(shared.recorder.arrived - arrived, seen - arrival)
    if (this.state === CONNECTING) {
      this.batching = false
      return this.greet()
    }
    if (wire.stopped) this.settle(wire.error)
    // The peer takes no more requests.
    else if (wire.capacity === 0) this.retire()
    for (let i = 0; i < touched.length; i++) this.tell(touched[i])
    touched.length = 0
    this.batching = false
    this.flush()
  }

  /** @param {Seat} seat of a user for whom there was something in what was read */
  tell (seat) {
    seat.isTouched = false
    // A hook may have ended the run, and the request of another user may have been the last one that the connection may carry.
    if (!this.has(seat)) return
    if (this.state === RETIRED && this.busy[seat.row] === 0) seat.end(null)
    else seat.onread.callback(0, this.shared.readBuffer)
  }

  /** No request is sent here any more. Who has none in flight goes, and who has one that no stream carries goes with it. */
  retire () {
    if (this.state !== OPEN) return
    this.state = RETIRED
    this.carriers.forget(this)
    const { wire, busy } = this
    const refuses = wire.capacity === 0
    for (const seat of this.inTurn()) {
      if (!this.has(seat)) continue
      if (!seat.isReady) this.handOver(seat)
      else if (busy[seat.row] === 0) seat.end(null)
      else if (refuses && wire.untouched(seat.row)) this.endBusy(seat, null)
    }
  }

  /**
   * A connection that answers few requests and ends would otherwise serve the same few users for ever.
   * @returns {Seat[]} all of them, in the order in which they go to the next connection: those first who have waited longest for an answer
   */
  inTurn () {
    const since = (/** @type {Seat} */ { isReady, row, wire }) => !isReady ? COMES : wire === null || this.busy[row] === 0 ? IDLE : wire.inFlight.started[0]
    return this.seats.filter(seat => seat !== null).sort((a, b) => since(a) - since(b))
  }

  /** @param {Seat} seat of somebody who has not begun here */
  handOver (seat) {
    this.seats[seat.row] = null
    this.taken--
    this.carriers.place(seat)
  }

  /**
   * @param {Seat} seat of somebody who has a request in flight
   * @param {Error & { code?: string } | null} error
   */
  endBusy (seat, error) {
    const wire = /** @type {SeatWire} */ (seat.wire)
    const { receiver } = wire
    wire.hasWaited = this.waits[seat.row] === 1 && this.again[seat.row] === 0
    // A connection that has brought answers is worth another try, whoever's they were.
    if (receiver.count < this.answered) receiver.count = this.answered
    seat.end(error)
  }

  /**
   * @param {Seat} seat whose request is given up
   * @returns {boolean} false when the connection has to end for that
   */
  cancel (seat) {
    const { row } = seat
    if (this.isDeaf) {
      // Nobody comes to it any more, also who is given up now.
      this.retire()
      this.carriers.soon(() => this.settle(new ConnectionError('AC_BEHIND_TIMEOUT')))
      return false
    }
    if (!this.wire.cancel(row)) return false
    this.busy[row] = 0
    if (this.blocked) this.held = this.held.filter(one => one !== row)
    if (this.state !== RETIRED) return true
    const wire = /** @type {SeatWire} */ (seat.wire)
    wire.capacity = 0
    wire.receiver.onLimit()
    this.carriers.soon(() => { if (this.seats[row] === seat && seat.wire === wire) seat.end(null) })
    return true
  }

  /**
   * The connection has ended, or could not be made.
   * @param {Error & { code?: string } | null} error null after an orderly end
   */
  settle (error) {
    const { state, wire, busy } = this
    if (state === GONE) return
    this.state = GONE
    this.carriers.forget(this)
    this.arrival = -1
    if (error === null) wire.finish()
    let isTold = state === CONNECTING
    for (const seat of this.inTurn()) {
      if (!this.has(seat)) continue
      if (state === CONNECTING) seat.end(error)
      else if (!seat.isReady) this.handOver(seat)
      else if (busy[seat.row] === 0) seat.end(null)
      else {
        // What is sent again has no error.
        isTold ||= this.answered === 0 || !wire.untouched(seat.row)
        this.endBusy(seat, error)
      }
    }
    const { recorder, observer } = this.shared
    // An answer that nobody asked for is no request's fate, but an error all the same.
    if (!isTold && error !== null && error === wire.error) recorder.failUnsent(error, 1, observer)
    this.drop()
  }

  /** Nobody is left. */
  close () {
    this.state = GONE
    this.carriers.forget(this)
    this.drop()
  }

  drop () {
    const { socket } = this
    this.socket = null
    this.wire.stop()
    socket?.destroy()
  }

  // What the wire tells, and asks.

  /**
   * @param {number} row
   * @returns {SeatWire | null} of the user whose request it is; null when nobody waits for the answer any more
   */
  touch (row) {
    const seat = this.seats[row]
    if (seat === null) return null
    if (!seat.isTouched) {
      seat.isTouched = true
      this.touched.push(seat)
    }
    return seat.wire
  }

  /**
   * @param {number} row
   * @param {import('../response/reader').Head} head
   */
  onHead (row, head) {
    const wire = this.touch(row)
    if (wire === null || !wire.receiver.looks) return false
    return wire.receiver.onHead(0, head)
  }

  /**
   * @param {number} row
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   */
  onBody (row, buf, start, end) {
    this.touch(row)?.receiver.onBody(0, buf, start, end)
  }

  /**
   * @param {number} row
   * @param {number} status
   * @param {number} size
   * @param {number} begunAt
   */
  onComplete (row, status, size, begunAt) {
    this.busy[row] = 0
    this.answered++
    const wire = this.touch(row)
    if (wire === null) return
    wire.receiver.readAt = this.readAt
    wire.receiver.arrival = this.arrival
    wire.receiver.onComplete(0, status, size, begunAt)
  }

  /**
   * @param {number} row
   * @param {Error & { code?: string }} error
   */
  onLost (row, error) {
    this.busy[row] = 0
    const wire = this.touch(row)
    if (wire === null) return
    wire.receiver.readAt = this.readAt
    wire.receiver.onLost(0, error)
  }

  /** @param {number} row of a request that waits for a stream */
  onWait (row) {
    this.waits[row] = 1
    if (this.again[row] === 1) this.seats[row]?.wire?.receiver.onWait()
  }

  /** @param {number} row of one that has waited for that, or that the peer has refused */
  onRepeat (row) {
    // What waits for its first stream is not sent again.
    if (this.waits[row] === 0 || this.again[row] === 1) this.seats[row]?.wire?.receiver.onRepeat()
    this.waits[row] = 0
  }

  /** The peer has said how many streams it keeps open. */
  onLimit () {
    const { wire, capacity, shared: { recorder } } = this
    if (wire.capacity < capacity && wire.capacity > 0) recorder.limitStreams(wire.capacity)
  }

  /** @param {number} row of a request in flight */
  bytesOf (row) {
    return this.inFlightOf(row).bytesOf(0)
  }

  /** @param {number} row of a request in flight */
  methodOf (row) {
    return this.seats[row] === null ? 'GET' : this.inFlightOf(row).methodOf(0)
  }

  /** @param {number} row */
  inFlightOf (row) {
    return /** @type {SeatWire} */ (/** @type {Seat} */ (this.seats[row]).wire).inFlight
  }
}

module.exports = { Carrier }
