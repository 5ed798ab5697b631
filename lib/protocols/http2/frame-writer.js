'use strict'

// Writes the frames of one connection to the outbox of the thread, with header blocks in the form that the peer
// accepts.

const {
  ACK, CONTINUATION, END_STREAM, FRAME_HEAD, HEADERS, PING, payloadLength, writeFrameHead, writeUint32
} = require('./frames')

/** The limit of owed bytes that wait until the peer reads: responses to PING and SETTINGS, new windows, resets. */
const MAX_OWED = 1024 * 1024

/** Sets the size of the table of header fields to 0 (RFC 7541 §6.3). */
const TABLE_OF_0 = 0x20

class FrameWriter {
  /** @param {import('./outbox').Outbox} outbox @param {import('./requests').KeptRequests} kept */
  constructor (outbox, kept) {
    this.outbox = outbox
    this.kept = kept
    /** @type {import('../peer').Socket | null} */
    this.socket = null
    /** Whether the socket has wanted no more since the last flush. */
    this.full = false
    /** Owed bytes since the peer has last read everything. */
    this.owed = 0
    /**
     * The content of the peer's table of header fields; null before the first request, and when it has none.
     * @type {import('./requests').Table | null}
     */
    this.table = null
    this.indexes = true
    /** Whether the peer has to clear its table. */
    this.clearsTable = false
  }

  /** @param {import('../peer').Socket} socket of a connection that begins */
  begin (socket) {
    this.socket = socket
    this.full = this.clearsTable = false
    this.owed = 0
    this.table = null
    this.indexes = true
  }

  /** The peer keeps no table of header fields that is large enough for us. */
  leaveTable () {
    this.indexes = false
    this.table = null
    this.clearsTable = true
  }

  /**
   * @param {Buffer} bytes
   * @param {number} at where the header block of a request begins,
   * @param {number} end and ends
   * @param {import('./requests').KeptRequest | null} kept the kept form
   * @param {number} id
   */
  putHead (bytes, at, end, kept, id) {
    if (this.clearsTable) this.clearTable(bytes, at, end, id)
    else if (kept === null) this.putFrames(bytes, at, end, id)
    else {
      const head = this.formOf(kept)
      this.putFrames(head, 0, head.length, id)
    }
  }

  /**
   * @param {import('./requests').KeptRequest} kept
   * @returns {Buffer} its header block in frames, as this connection takes it
   */
  formOf (kept) {
    if (this.table !== null) return this.table.formOf(kept)
    if (!this.indexes) return kept.plain
    this.table = this.kept.tableBehind(kept)
    return this.table === null ? kept.plain : this.table.first
  }

  /**
   * The peer wants a smaller table of header fields. The next header block begins with its size, 0 (RFC 7541 §4.2):
   * alone in a HEADERS frame, which the block follows as CONTINUATION.
   * @param {Buffer} bytes
   * @param {number} start where the block begins
   * @param {number} end
   * @param {number} id
   */
  clearTable (bytes, start, end, id) {
    this.clearsTable = false
    const frames = Buffer.from(bytes.subarray(start, end))
    frames[3] = CONTINUATION
    const first = Buffer.alloc(FRAME_HEAD + 1, TABLE_OF_0)
    writeFrameHead(first, 0, 1, HEADERS, frames[4] & END_STREAM, 0)
    frames[4] &= ~END_STREAM
    this.putFrames(first, 0, first.length, id)
    this.putFrames(frames, 0, frames.length, id)
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end where the last of the frames between them ends
   * @param {number} id of their stream
   */
  putFrames (bytes, start, end, id) {
    const { outbox } = this
    const size = end - start
    outbox.reserve(this, size)
    const { slab, used } = outbox
    // Up to this many bytes a loop is faster than a call.
    if (size <= 64) for (let i = 0; i < size; i++) slab[used + i] = bytes[start + i]
    else bytes.copy(slab, used, start, end)
    outbox.used = used + size
    for (let at = used; at < outbox.used; at += FRAME_HEAD + payloadLength(slab, at)) writeUint32(slab, at + 5, id)
  }

  /**
   * A frame with a part of another one.
   * @param {number} type
   * @param {number} flags
   * @param {number} stream
   * @param {Buffer} bytes
   * @param {number} start where the payload begins,
   * @param {number} end and ends
   */
  putPart (type, flags, stream, bytes, start, end) {
    const { outbox } = this
    outbox.reserve(this, FRAME_HEAD + end - start)
    const at = writeFrameHead(outbox.slab, outbox.used, end - start, type, flags, stream)
    outbox.used = at + bytes.copy(outbox.slab, at, start, end)
  }

  /** @param {Buffer} bytes of whole frames */
  put (bytes) {
    const { outbox } = this
    this.owed += bytes.length
    outbox.reserve(this, bytes.length)
    outbox.used += bytes.copy(outbox.slab, outbox.used)
  }

  /** @param {number} type @param {number} stream @param {number} value the payload */
  putNumber (type, stream, value) {
    const { outbox } = this
    this.owed += FRAME_HEAD + 4
    outbox.reserve(this, FRAME_HEAD + 4)
    outbox.used = writeUint32(outbox.slab, writeFrameHead(outbox.slab, outbox.used, 4, type, 0, stream), value)
  }

  /** The response to a PING has its payload. @type {(buf: Buffer, start: number, end: number) => void} */
  putPong (buf, start, end) {
    this.owed += FRAME_HEAD + end - start
    this.putPart(PING, ACK, 0, buf, start, end)
  }

  /** The peer has sent something: it owes us nothing to read when all is gone. */
  look () {
    if (this.owed > 0 && this.socket !== null && this.socket.writableLength === 0) this.owed = 0
  }

  /** @returns {boolean} whether the peer requests more than it reads */
  get isFlooded () {
    return this.owed > MAX_OWED
  }

  /** For the outbox. @param {Buffer} bytes */
  send (bytes) {
    if (this.socket !== null && !this.socket.write(bytes)) this.full = true
  }

  /** @returns {boolean} whether the socket takes more */
  flush () {
    if (this.outbox.writer === this) this.outbox.flush()
    const { full } = this
    this.full = false
    return !full
  }

  /** The socket is about to be closed: the outbox is dropped. */
  drop () {
    this.outbox.drop(this)
    this.socket = null
  }
}

module.exports = { FrameWriter }
