'use strict'

// Reads the frames of a WebSocket server (RFC 6455 §5) and joins them to messages. A read may end at any byte. It has
// no sockets, requests or clocks.
//
// A message in one frame and one read is passed without a copy: 50 bytes take 0.02 µs, 16 KiB of text 0.3 µs. Other
// messages are copied to a buffer that is reused.

const { isUtf8 } = require('node:buffer')
const { ProtocolError } = require('../../core/errors')
const { isValidCloseCode, NO_STATUS } = require('./close-codes')
const {
  CONTINUATION, TEXT, BINARY, CLOSE, PING, FIN, RSV1, MASKED, MAX_CONTROL, MAX_MESSAGE
} = require('./frames')

// The states: the first two bytes of a frame, the bytes of a longer length, and the payload.
const FIRST = 0
const SECOND = 1
const LENGTH = 2
const PAYLOAD = 3
const CONTROL = 4
const STOPPED = 5

const RSV = 0x70
/** The lowest opcode of a control frame. */
const FIRST_CONTROL = 8
/** Values instead of a length: the length is in the next two or eight bytes. */
const TWO_BYTES = 126
const EIGHT_BYTES = 127

/** A larger buffer for joined messages is not kept, because idle connections would hold it, bytes. */
const KEPT = 64 * 1024

/**
 * Up to this length, text is first checked for ASCII: 13 ns for 50 bytes. `isUtf8` needs a view of the bytes, and 190
 * ns.
 */
const SHORT = 512

const EMPTY = Buffer.alloc(0)

/**
 * Receives messages. Their bytes are in a buffer that is reused, so they must be used or copied at once. There are no
 * calls after `onClose`, `onError` or `stop`.
 * @typedef {object} FrameReceiver
 * @property {(isText: boolean, bytes: Buffer, start: number, end: number) => void} onMessage a whole inflated message;
 *   text is valid UTF-8. `reader.size` is its size on the wire
 * @property {(bytes: Buffer, start: number, end: number) => void} onPing the payload has to be sent back in a pong
 * @property {(bytes: Buffer, start: number, end: number) => void} onPong
 * @property {(code: number, reason: string) => void} onClose 1005 for a close frame without a code
 * @property {(error: ProtocolError) => void} onError the server violates the protocol: the connection has to be closed
 *   with the code of `closeCodeOf`
 */

class FrameReader {
  /** @param {FrameReceiver} receiver @param {number} [maxSize] limit of a message, in bytes */
  constructor (receiver, maxSize = MAX_MESSAGE) {
    this.receiver = receiver
    this.maxSize = maxSize
    /** @type {import('./deflate').Inflater | null} */
    this.inflater = null
    this.state = FIRST
    /** @type {ProtocolError | null} after an error nothing is read until `reset` */
    this.error = null
    // The current frame: its first byte, the number of missing length bytes, the length so far, the smallest valid
    // length, and the number of missing payload bytes.
    this.first = 0
    this.lengthLeft = 0
    this.length = 0
    this.least = 0
    this.left = 0
    // The current message: the opcode of its first frame, 0 for none.
    this.opcode = CONTINUATION
    this.isDeflated = false
    // The payload so far, for a message in several frames or reads.
    this.joined = EMPTY
    this.joinedLength = 0
    this.control = EMPTY
    this.controlLength = 0
    this.total = 0
    /** Size of the delivered message on the wire, with control frames between its frames, bytes. */
    this.size = 0
  }

  /**
   * Prepares for another connection.
   * @param {import('./deflate').Inflater | null} [inflater] null without permessage-deflate
   */
  reset (inflater = null) {
    this.inflater = inflater
    this.state = FIRST
    this.error = null
    this.left = 0
    this.opcode = CONTINUATION
    this.isDeflated = false
    this.releaseJoined()
    this.controlLength = 0
    this.total = 0
    this.size = 0
  }

  /** Reads no further. */
  stop () {
    this.state = STOPPED
  }

  /** @returns {boolean} whether no further message follows: `error` has the reason; null after a close frame */
  get stopped () {
    return this.state === STOPPED
  }

  /** @returns {boolean} whether a message is incomplete */
  get inside () {
    if (this.state === STOPPED) return false
    return this.opcode !== CONTINUATION || (this.state !== FIRST && (this.first & 15) < FIRST_CONTROL)
  }

  /** Reads a part of a buffer. The buffer is not kept. @param {Buffer} buf @param {number} start @param {number} end */
  read (buf, start, end) {
    let pos = start
    while (pos < end) {
      switch (this.state) {
        case FIRST: {
          const after = this.opcode === CONTINUATION ? endOfShort(buf, pos, end) : 0
          if (after > 0 && after - pos - 2 <= this.maxSize) {
            const from = pos + 2
            pos = after
            this.size = after - from + 2
            const isText = (buf[from - 2] & 15) === TEXT
            if (isText && !isValidText(buf, from, after)) return this.fail('AC_WS_UTF8')
            this.receiver.onMessage(isText, buf, from, after)
            break
          }
          this.first = buf[pos++]
          this.total++
          this.state = SECOND
          this.checkFirst()
          break
        }
        case SECOND:
          this.total++
          this.readSecond(buf, pos++)
          break
        case LENGTH:
          this.total++
          this.length = this.length * 256 + buf[pos++]
          this.lengthLeft--
          if (this.lengthLeft === 0) this.checkLength()
          // The highest bit of eight bytes has to be 0. It is checked here, because doubles cannot represent 2^63 − 1.
          else if (this.lengthLeft === 7 && this.length > 127) this.fail('AC_WS_LENGTH')
          break
        case PAYLOAD: {
          const span = end - pos < this.left ? end - pos : this.left
          const from = pos
          pos += span
          this.left -= span
          this.total += span
          if (this.left === 0) this.endFrame(buf, from, pos)
          else this.join(buf, from, pos)
          break
        }
        case CONTROL: {
          const span = end - pos < this.left ? end - pos : this.left
          const from = pos
          pos += span
          this.left -= span
          this.total += span
          if (this.left === 0) this.endControl(buf, from, pos)
          else this.keepControl(buf, from, pos)
          break
        }
        case STOPPED:
          return
      }
    }
  }

  /** Checks the first byte of a frame. */
  checkFirst () {
    const { first } = this
    const opcode = first & 15
    const reserved = first & RSV
    if (opcode >= FIRST_CONTROL) {
      if (opcode > PING + 1) return this.fail('AC_WS_OPCODE')
      if (reserved !== 0) return this.fail('AC_WS_RESERVED')
      if ((first & FIN) === 0) this.fail('AC_WS_CONTROL')
      return
    }
    if (opcode > 2) return this.fail('AC_WS_OPCODE')
    // Only the first frame of a message may have the bit for compression (RFC 7692 §6.1).
    if (reserved !== 0 && (reserved !== RSV1 || this.inflater === null || opcode === CONTINUATION)) {
      return this.fail('AC_WS_RESERVED')
    }
    if ((opcode === CONTINUATION) !== (this.opcode !== CONTINUATION)) this.fail('AC_WS_FRAGMENT')
  }

  /** @type {(buf: Buffer, pos: number) => void} */
  readSecond (buf, pos) {
    const second = buf[pos]
    if ((second & MASKED) !== 0) return this.fail('AC_WS_MASKED')
    if ((this.first & 15) >= FIRST_CONTROL) {
      if (second > MAX_CONTROL) return this.fail('AC_WS_CONTROL')
      this.left = second
      this.state = CONTROL
      if (second === 0) this.endControl(buf, pos, pos)
    } else if (second < TWO_BYTES) {
      this.beginPayload(second)
      if (second === 0 && this.error === null) this.endFrame(buf, pos, pos)
    } else {
      this.length = 0
      this.lengthLeft = second === EIGHT_BYTES ? 8 : 2
      this.least = second === EIGHT_BYTES ? 65536 : TWO_BYTES
      this.state = LENGTH
    }
  }

  /** Checks a length of two or eight bytes. */
  checkLength () {
    // The shortest form is required (§5.2).
    if (this.length < this.least) this.fail('AC_WS_LENGTH')
    else this.beginPayload(this.length)
  }

  /** @param {number} length of the payload of a data frame */
  beginPayload (length) {
    const opcode = this.first & 15
    if (opcode !== CONTINUATION) {
      this.opcode = opcode
      this.isDeflated = (this.first & RSV1) !== 0
    }
    // The limit is checked before memory is allocated.
    if (this.joinedLength + length > this.maxSize) return this.fail('AC_WS_SIZE')
    this.left = length
    this.state = PAYLOAD
  }

  /** Ends a data frame. @type {(buf: Buffer, from: number, to: number) => void} */
  endFrame (buf, from, to) {
    this.state = FIRST
    if ((this.first & FIN) === 0) {
      this.join(buf, from, to)
    } else if (this.joinedLength === 0) {
      this.endMessage(buf, from, to)
    } else {
      this.join(buf, from, to)
      this.endMessage(this.joined, 0, this.joinedLength)
    }
  }

  /** @type {(buf: Buffer, from: number, to: number) => void} */
  endMessage (buf, from, to) {
    const isText = this.opcode === TEXT
    this.opcode = CONTINUATION
    this.joinedLength = 0
    this.size = this.total
    this.total = 0
    if (this.isDeflated) {
      const inflater = /** @type {import('./deflate').Inflater} */ (this.inflater)
      const plain = inflater.inflate(buf, from, to, this.maxSize)
      if (plain === null) return this.fail(inflater.code)
      buf = plain
      from = 0
      to = plain.length
    }
    if (isText && !isValidText(buf, from, to)) return this.fail('AC_WS_UTF8')
    this.receiver.onMessage(isText, buf, from, to)
    if (this.joined.length > KEPT && this.joinedLength === 0) this.joined = EMPTY
  }

  /** Ends a control frame. @type {(buf: Buffer, from: number, to: number) => void} */
  endControl (buf, from, to) {
    this.state = FIRST
    if (this.controlLength > 0) {
      this.keepControl(buf, from, to)
      buf = this.control
      from = 0
      to = this.controlLength
      this.controlLength = 0
    }
    if (this.opcode === CONTINUATION) this.total = 0
    const opcode = this.first & 15
    if (opcode === PING) this.receiver.onPing(buf, from, to)
    else if (opcode === CLOSE) this.readClose(buf, from, to)
    else this.receiver.onPong(buf, from, to)
  }

  /** @type {(buf: Buffer, from: number, to: number) => void} */
  readClose (buf, from, to) {
    if (from === to) {
      this.state = STOPPED
      return this.receiver.onClose(NO_STATUS, '')
    }
    if (to - from === 1) return this.fail('AC_WS_CLOSE_FRAME')
    const code = buf[from] * 256 + buf[from + 1]
    if (!isValidCloseCode(code)) return this.fail('AC_WS_CLOSE_FRAME')
    if (!isValidText(buf, from + 2, to)) return this.fail('AC_WS_UTF8')
    // Further bytes are discarded (§1.4).
    this.state = STOPPED
    this.receiver.onClose(code, buf.toString('utf8', from + 2, to))
  }

  /** Keeps a part of a message. @type {(buf: Buffer, from: number, to: number) => void} */
  join (buf, from, to) {
    const length = this.joinedLength + to - from
    if (length > this.joined.length) {
      // Twice the received size: an announced length must not allocate memory.
      const larger = Buffer.allocUnsafeSlow(Math.max(512, 2 * length))
      this.joined.copy(larger, 0, 0, this.joinedLength)
      this.joined = larger
    }
    buf.copy(this.joined, this.joinedLength, from, to)
    this.joinedLength = length
  }

  /** Keeps a part of a control frame. @type {(buf: Buffer, from: number, to: number) => void} */
  keepControl (buf, from, to) {
    if (this.control.length === 0) this.control = Buffer.allocUnsafeSlow(MAX_CONTROL)
    this.controlLength += buf.copy(this.control, this.controlLength, from, to)
  }

  releaseJoined () {
    this.joinedLength = 0
    if (this.joined.length > KEPT) this.joined = EMPTY
  }

  /** @param {import('../../core/errors').Code} code */
  fail (code) {
    this.state = STOPPED
    this.error = new ProtocolError(code)
    this.receiver.onError(this.error)
  }
}

/**
 * A fast path, because most messages are one frame with a length of one byte. State by state, 50 bytes took 40 ns more.
 * @type {(buf: Buffer, pos: number, end: number) => number} Returns the end of the frame, if it is such a message and
 *   complete; 0 otherwise
 */
function endOfShort (buf, pos, end) {
  const first = buf[pos]
  if (first !== (FIN | TEXT) && first !== (FIN | BINARY)) return 0
  const after = pos + 2 + buf[pos + 1]
  return pos + 1 < end && buf[pos + 1] < TWO_BYTES && after <= end ? after : 0
}

/** Returns whether it is UTF-8. @type {(buf: Buffer, from: number, to: number) => boolean} */
function isValidText (buf, from, to) {
  return (to - from <= SHORT && isAscii(buf, from, to)) || isUtf8(buf.subarray(from, to))
}

/** @type {(buf: Buffer, from: number, to: number) => boolean} */
function isAscii (buf, from, to) {
  let bits = 0
  for (; from + 3 < to; from += 4) bits |= buf[from] | buf[from + 1] | buf[from + 2] | buf[from + 3]
  for (; from < to; from++) bits |= buf[from]
  return bits < 128
}

module.exports = { FrameReader }
