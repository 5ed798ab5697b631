'use strict'

// Collects the bytes that the connections of one thread are about to write in a slab, so that everything that one read
// made due goes out in one write. A slab is not reused: a socket may still hold a part of it when `write` has returned.

/** How many bytes are allocated at once: one allocation for some 2,000 requests. */
const SLAB = 64 * 1024

/** @typedef {{ send: (bytes: Buffer) => void }} Writer whose bytes lie at the end of the slab */

class Outbox {
  constructor () {
    this.slab = Buffer.alloc(0)
    this.start = 0
    this.used = 0
    /** @type {Writer | null} */
    this.writer = null
  }

  /** @param {Writer} writer @param {number} size of its bytes at `used` of the slab */
  reserve (writer, size) {
    if (this.writer !== writer) {
      this.flush()
      this.writer = writer
    }
    if (this.used + size <= this.slab.length) return
    this.send()
    this.slab = Buffer.allocUnsafeSlow(size > SLAB ? size : SLAB)
    this.start = this.used = 0
  }

  flush () {
    this.send()
    this.writer = null
  }

  send () {
    const { writer, slab, start, used } = this
    if (writer === null || used === start) return
    this.start = used
    writer.send(slab.subarray(start, used))
  }

  /** @param {Writer} writer whose socket is gone, so that its bytes are dropped */
  drop (writer) {
    if (this.writer !== writer) return
    this.used = this.start
    this.writer = null
  }
}

module.exports = { Outbox }
