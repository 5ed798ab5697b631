'use strict'

// Which stream carries which request, and the state of each, in columns by the row of the request. A stream number is
// unique for the connection; a row is reused.

/** No row. */
const NONE = -1

/** No stream carries the request: it waits for one, or the peer has reported that it was not processed. */
const IDLE = 0
const REQUESTED = 1
const RESPONDING = 2

class Streams {
  /** @param {number} capacity how many requests may be in flight */
  constructor (capacity) {
    /** The number of the stream, 0 while there is none. */
    this.ids = new Int32Array(capacity)
    this.phases = new Uint8Array(capacity)
    this.wanted = new Uint8Array(capacity)
    this.statuses = new Uint16Array(capacity)
    /** Bytes of the response, heads of frames included, and of its body. */
    this.sizes = new Float64Array(capacity)
    this.bodies = new Float64Array(capacity)
    /** Content-Length of the response, -1 when it has none. */
    this.lengths = new Float64Array(capacity)
    this.begunAts = new Float64Array(capacity)
    /** How much the peer may still send and we have not granted again. */
    this.received = new Float64Array(capacity)
    this.windows = new Float64Array(capacity)
    /** How often the peer has refused the request. */
    this.refusals = new Uint8Array(capacity)
    this.next = 1
    this.active = 0
    // The row of a stream at its number; another stream may have taken the place, and then all rows are looked at.
    let places = 8
    while (places < 4 * capacity) places *= 2
    this.places = new Int32Array(places)
  }

  reset () {
    this.ids.fill(0)
    this.phases.fill(IDLE)
    this.refusals.fill(0)
    this.next = 1
    this.active = 0
  }

  /**
   * @param {number} row of a request that is sent now
   * @param {number} window how much of its body may be sent
   * @returns {number} its stream
   */
  open (row, window) {
    const id = this.next
    this.next = id + 2
    this.active++
    this.ids[row] = id
    this.phases[row] = REQUESTED
    this.wanted[row] = 0
    this.statuses[row] = 0
    this.sizes[row] = 0
    this.bodies[row] = 0
    this.lengths[row] = -1
    this.begunAts[row] = -1
    this.received[row] = 0
    this.windows[row] = window
    this.places[(id >> 1) & (this.places.length - 1)] = row
    return id
  }

  /** @param {number} id @returns {number} the row of the request that this stream carries, NONE when it carries none */
  rowOf (id) {
    // Stream 0 is the connection itself.
    if (id === 0) return NONE
    const row = this.places[(id >> 1) & (this.places.length - 1)]
    return this.ids[row] === id ? row : this.ids.indexOf(id)
  }

  /** @param {number} row whose stream carries nothing any more */
  close (row) {
    this.ids[row] = 0
    this.phases[row] = IDLE
    this.active--
  }
}

module.exports = { Streams, NONE, REQUESTED, RESPONDING }
