'use strict'

// Parses the framing of HTTP/1.1 responses (RFC 9112): start and end of a message, status, and whether the connection
// stays open. Incremental: a read may end at any byte. It has no sockets, requests or clocks.
//
// Two things make it cheap. A server sends the same head repeatedly, so the parser remembers the last one: when the
// next bytes equal it, the framing is known without parsing a field. And nothing is allocated per response: results are
// fields of the parser, which the handler reads when it is called.

const { ProtocolError } = require('../../core/errors')
const { HEAD_FORMAT } = require('./head-format')
const { HeadMemo } = require('../head-memo')

/** The largest head, chunk line or trailer section that is read, in bytes. */
const MAX_HEAD = 64 * 1024

// The states. Heads are read as a whole (kept in `partial` until they are); all else byte by byte or span by span.
const HEAD = 0
const BODY_LENGTH = 1
const BODY_EOF = 2
const CHUNK_SIZE_FIRST = 3
const CHUNK_SIZE = 4
const CHUNK_SPACE = 5
const CHUNK_EXTENSION = 6
const CHUNK_LINE_LF = 7
const CHUNK_DATA = 8
const CHUNK_DATA_CR = 9
const CHUNK_DATA_LF = 10
const TRAILER_START = 11
const TRAILER_NAME = 12
const TRAILER_VALUE = 13
const TRAILER_LF = 14
const TRAILER_END_LF = 15
const STOPPED = 16

/** The response has the body that its head announces. */
const BODY = 0
/** The response to HEAD has no body, whatever its head announces. */
const NO_BODY = 1
/** There is no request for this response. */
const UNREQUESTED = 2
/** The connection stops being HTTP after this head: it responds to CONNECT. */
const TUNNEL = 3

// Framing of a head, as bits.
const HAS_LENGTH = 1
const CHUNKED = 2
const CLOSE = 4

const TAB = 9
const LF = 10
const CR = 13
const SP = 32
const COMMA = 44
const ZERO = 48
const COLON = 58
const SEMICOLON = 59

/** 1 for every byte that is allowed in a field name (RFC 9110 §5.6.2 tchar). */
const TOKEN = new Uint8Array(256)
for (const char of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
  TOKEN[char.charCodeAt(0)] = 1
}

/** The value of a hexadecimal digit, -1 for any other byte. */
const HEX = new Int8Array(256).fill(-1)
for (let i = 0; i < 16; i++) {
  HEX[i.toString(16).charCodeAt(0)] = i
  HEX[i.toString(16).toUpperCase().charCodeAt(0)] = i
}

const VERSION = Buffer.from('HTTP/1.')
/**
 * The first byte of a TLS record with an alert (RFC 8446 §5.1): how many servers respond to plain HTTP on a port for
 * TLS.
 */
const TLS_ALERT = 21
const EMPTY = Buffer.alloc(0)

/**
 * Receives the contents of the stream. `onHead` is called for every head but interim ones (1xx) and returns BODY,
 * NO_BODY, UNREQUESTED or TUNNEL; `onBody` for every span of the body, only while `wantsBody` is true; `onComplete` at
 * the end of each response with the bytes it took on the wire (interim responses before it included); the parser is
 * `stopped` then when the connection carries no other.
 * @typedef {object} ResponseHandler
 * @property {boolean} wantsBody
 * @property {(status: number, head: Buffer, start: number, end: number) => number} onHead
 * @property {(bytes: Buffer, start: number, end: number) => void} onBody
 * @property {boolean} [wantsTrailers]
 * @property {(section: Buffer) => void} [onTrailers] a whole trailer section that is not empty, when it is wanted
 * @property {(size: number) => void} onComplete
 */

class ResponseParser {
  /** @param {ResponseHandler} handler @param {HeadMemo} [memo] one may serve many parsers of a thread */
  constructor (handler, memo = new HeadMemo(HEAD_FORMAT)) {
    this.handler = handler
    this.memo = memo
    this.state = HEAD
    /** @type {ProtocolError | null} set once; nothing is read after it until `reset` */
    this.error = null
    this.status = 0
    this.framing = 0
    this.keepAlive = true
    this.contentLength = 0
    this.remaining = 0
    this.size = 0
    this.lineBytes = 0
    // The beginning of a head that has not arrived in full. The buffer is kept for the next one that a read cuts in
    // two.
    this.partial = EMPTY
    // Bytes of a trailer section, if it is needed. `partial` may still hold the head of the same response.
    this.section = EMPTY
    this.partialLength = 0
  }

  reset () {
    this.state = HEAD
    this.error = null
    this.size = 0
    this.partialLength = 0
    this.section = EMPTY
  }

  /** Stops parsing: bytes that follow on this connection belong to no request. */
  stop () {
    this.state = STOPPED
  }

  /**
   * @returns {boolean} whether this connection brings no further response: `error` is the reason, null after its last
   *   one
   */
  get stopped () {
    return this.state === STOPPED
  }

  /** @returns {boolean} whether a response has begun and not ended */
  get inside () {
    return this.state !== STOPPED && (this.state !== HEAD || this.partialLength > 0 || this.size > 0)
  }

  /** The peer closed the connection in an orderly way: ends a body that lasts until then. */
  finish () {
    if (this.state !== BODY_EOF) return
    this.state = STOPPED
    const size = this.size
    this.size = 0
    this.handler.onComplete(size)
  }

  /** The rest of the current response is not needed: it is complete, and nothing after it is read. */
  leave () {
    const { size } = this
    this.size = 0
    this.state = STOPPED
    this.handler.onComplete(size)
  }

  /**
   * Reads a part of a buffer. The buffer is not kept.
   * @param {Buffer} buf
   * @param {number} [end]
   * @param {number} [pos] where the part begins
   */
  execute (buf, end = buf.length, pos = 0) {
    while (pos < end) {
      switch (this.state) {
        case HEAD:
          pos = this.partialLength === 0 ? this.readHead(buf, pos, end) : this.readPartialHead(buf, pos, end)
          break
        case BODY_LENGTH: {
          const span = end - pos < this.remaining ? end - pos : this.remaining
          if (this.handler.wantsBody) this.handler.onBody(buf, pos, pos + span)
          this.size += span
          this.remaining -= span
          pos += span
          if (this.remaining === 0 && this.state === BODY_LENGTH) this.complete()
          break
        }
        case BODY_EOF:
          if (this.handler.wantsBody) this.handler.onBody(buf, pos, end)
          this.size += end - pos
          pos = end
          break
        case CHUNK_DATA: {
          const span = end - pos < this.remaining ? end - pos : this.remaining
          if (this.handler.wantsBody) this.handler.onBody(buf, pos, pos + span)
          this.size += span
          this.remaining -= span
          pos += span
          if (this.remaining === 0 && this.state === CHUNK_DATA) this.state = CHUNK_DATA_CR
          break
        }
        case STOPPED:
          return
        default:
          pos = this.readChunkSyntax(buf, pos, end)
      }
    }
  }

  /**
   * Reads a head that starts at `pos`. Returns where to go on.
   * @type {(buf: Buffer, pos: number, end: number) => number}
   */
  readHead (buf, pos, end) {
    const memo = this.memo
    if (memo.matches(buf, pos, end)) {
      const { length } = memo
      this.status = memo.status
      this.framing = memo.framing
      this.contentLength = memo.contentLength
      this.begin(buf, pos, pos + length)
      return pos + length
    }
    const headEnd = findHeadEnd(buf, pos, end)
    if (headEnd === 0 || headEnd - pos > MAX_HEAD) {
      if (this.mayBecomeHead(buf, pos, pos, end)) this.keepPartial(buf, pos, end)
      return end
    }
    if (!this.parseHead(buf, pos)) return end
    memo.remember(buf, pos, headEnd, this)
    this.begin(buf, pos, headEnd)
    return headEnd
  }

  /** Keeps more of a head until the rest comes. @type {(buf: Buffer, pos: number, end: number) => void} */
  keepPartial (buf, pos, end) {
    const before = this.partialLength
    const length = before + end - pos
    if (length > this.partial.length) {
      const larger = Buffer.allocUnsafe(Math.max(512, 2 * this.partial.length, length))
      this.partial.copy(larger, 0, 0, before)
      this.partial = larger
    }
    buf.copy(this.partial, before, pos, end)
    this.partialLength = length
  }

  /**
   * Appends to the start of a head, and parses it once it is whole. Returns where to go on.
   * @type {(buf: Buffer, pos: number, end: number) => number}
   */
  readPartialHead (buf, pos, end) {
    const before = this.partialLength
    const stop = Math.min(end, pos + MAX_HEAD + 1 - before)
    this.keepPartial(buf, pos, stop)
    const { partial, partialLength } = this
    const headEnd = findHeadEnd(partial, Math.max(0, before - 3), partialLength)
    if (headEnd === 0) {
      this.mayBecomeHead(partial, 0, before, partialLength)
      return stop
    }
    this.partialLength = 0
    this.readHead(partial, 0, headEnd)
    return pos + headEnd - before
  }

  /**
   * Detects early that the bytes are not the start of a head: a peer with another protocol may never send the end of
   * one. The verdict depends on the bytes alone, not on their division into reads.
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} from the first byte that has not been looked at
   * @param {number} end
   * @returns {boolean} false when it can't become one; `error` is the reason
   */
  mayBecomeHead (buf, start, from, end) {
    for (let i = from; i < end && i - start < VERSION.length; i++) {
      if (buf[i] !== VERSION[i - start]) {
        return this.refuse(buf[start] === TLS_ALERT ? 'AC_TLS_ALERT' : 'AC_STATUS_LINE')
      }
    }
    const last = Math.min(end, start + MAX_HEAD + 1)
    for (let i = from; i < last; i++) {
      // The first thing wrong may be in front of the bare LF: at the latest there, parseHead refuses.
      if (buf[i] === LF && buf[i - 1] !== CR) return this.parseHead(buf, start)
    }
    return end - start > MAX_HEAD ? this.refuse('AC_HEAD_SIZE') : true
  }

  /**
   * Reads a head into `status`, `framing` and `contentLength`. It goes from byte to byte up to the empty line or to the
   * first one that is malformed; there has to be one or the other.
   * @param {Buffer} buf
   * @param {number} start
   * @returns {boolean} false when it is malformed; `error` is the reason
   */
  parseHead (buf, start) {
    let pos = start
    for (let i = 0; i < VERSION.length; i++) {
      if (buf[pos++] !== VERSION[i]) return this.refuse(buf[start] === TLS_ALERT ? 'AC_TLS_ALERT' : 'AC_STATUS_LINE')
    }
    const minor = buf[pos++]
    if (minor !== ZERO && minor !== ZERO + 1) return this.refuse('AC_STATUS_LINE')
    if (buf[pos++] !== SP) return this.refuse('AC_STATUS_LINE')
    let status = 0
    for (let i = 0; i < 3; i++) {
      const digit = buf[pos++] - ZERO
      if (!(digit >= 0 && digit <= 9)) return this.refuse('AC_STATUS_LINE')
      status = status * 10 + digit
    }
    // No class of RFC 9110 §15 has it: it would be neither a success nor a failure.
    if (status < 100) return this.refuse('AC_STATUS_LINE')
    if (buf[pos] !== SP && buf[pos] !== CR) return this.refuse('AC_STATUS_LINE')
    while (buf[pos] !== CR) {
      if (buf[pos] === LF || buf[pos] === 0) return this.refuse('AC_STATUS_LINE')
      pos++
    }
    if (buf[pos + 1] !== LF) return this.refuse('AC_STATUS_LINE')
    pos += 2

    let framing = 0
    let contentLength = 0
    let encoded = false
    let close = false
    let keepAlive = minor !== ZERO
    while (buf[pos] !== CR) {
      const nameStart = pos
      while (TOKEN[buf[pos]] === 1) pos++
      if (pos === nameStart || buf[pos] !== COLON) return this.refuse('AC_HEADER')
      const nameLength = pos - nameStart
      pos++
      while (buf[pos] === SP || buf[pos] === TAB) pos++
      const valueStart = pos
      while (buf[pos] >= SP ? buf[pos] !== 127 : buf[pos] === TAB) pos++
      if (buf[pos] !== CR || buf[pos + 1] !== LF) return this.refuse('AC_HEADER')
      let valueEnd = pos
      while (valueEnd > valueStart && (buf[valueEnd - 1] === SP || buf[valueEnd - 1] === TAB)) valueEnd--
      pos += 2
      // A line that starts with white space goes on with the value before it (obs-fold, RFC 9112 §5.2). Its bytes can
      // matter only to a framing header, and there folding is refused.
      if (buf[pos] === SP || buf[pos] === TAB) {
        if (isFraming(buf, nameStart, nameLength)) return this.refuse('AC_HEADER')
        while (buf[pos] === SP || buf[pos] === TAB) {
          while (buf[pos] >= SP ? buf[pos] !== 127 : buf[pos] === TAB) pos++
          if (buf[pos] !== CR || buf[pos + 1] !== LF) return this.refuse('AC_HEADER')
          pos += 2
        }
        continue
      }

      if (nameLength === 14 && equalsIgnoreCase(buf, nameStart, 'content-length')) {
        if ((framing & HAS_LENGTH) !== 0 || valueEnd === valueStart) return this.refuse('AC_CONTENT_LENGTH')
        for (let i = valueStart; i < valueEnd; i++) {
          const digit = buf[i] - ZERO
          if (!(digit >= 0 && digit <= 9)) return this.refuse('AC_CONTENT_LENGTH')
          contentLength = contentLength * 10 + digit
        }
        if (contentLength > Number.MAX_SAFE_INTEGER) return this.refuse('AC_CONTENT_LENGTH')
        framing |= HAS_LENGTH
      } else if (nameLength === 17 && equalsIgnoreCase(buf, nameStart, 'transfer-encoding')) {
        // Chunked has to be the last coding, only once, and without parameters (RFC 9112 §6.1, §7.1).
        const chunkedEnd = findItem(buf, valueStart, valueEnd, 'chunked')
        if ((framing & CHUNKED) !== 0 || (chunkedEnd !== -1 && chunkedEnd !== valueEnd)) {
          return this.refuse('AC_TRANSFER_ENCODING')
        }
        if (chunkedEnd !== -1) framing |= CHUNKED
        encoded = true
      } else if (nameLength === 10 && equalsIgnoreCase(buf, nameStart, 'connection')) {
        close ||= findItem(buf, valueStart, valueEnd, 'close') !== -1
        keepAlive ||= findItem(buf, valueStart, valueEnd, 'keep-alive') !== -1
      }
    }
    if (buf[pos + 1] !== LF) return this.refuse('AC_HEADER')
    if (encoded && (framing & HAS_LENGTH) !== 0) return this.refuse('AC_CONTENT_LENGTH')
    // HTTP/1.0 knows no Transfer-Encoding: the message is read, the connection not trusted with another (RFC 9112
    // §6.1).
    if (close || !keepAlive || (encoded && minor === ZERO)) framing |= CLOSE
    this.status = status
    this.framing = framing
    this.contentLength = contentLength
    return true
  }

  /** A head has been read: chooses how its body ends. @type {(buf: Buffer, start: number, end: number) => void} */
  begin (buf, start, end) {
    this.size += end - start
    const status = this.status
    // Interim responses come before the response (RFC 9110 §15.2); 101 is a response: other bytes than HTTP follow.
    if (status >= 100 && status < 200 && status !== 101) return
    const verdict = this.handler.onHead(status, buf, start, end)
    if (this.state === STOPPED) return
    if (verdict === UNREQUESTED) {
      this.fail('AC_UNREQUESTED', 0)
      return
    }
    const framing = this.framing
    const tunnel = status === 101 || (verdict === TUNNEL && status >= 200 && status < 300)
    this.keepAlive = (framing & CLOSE) === 0 && !tunnel
    if (tunnel || verdict === NO_BODY || status === 204 || status === 304) {
      this.complete()
    } else if ((framing & CHUNKED) !== 0) {
      this.lineBytes = 0
      this.state = CHUNK_SIZE_FIRST
    } else if ((framing & HAS_LENGTH) !== 0) {
      this.remaining = this.contentLength
      if (this.remaining === 0) this.complete()
      else this.state = BODY_LENGTH
    } else {
      this.state = BODY_EOF
    }
  }

  complete () {
    const size = this.size
    this.size = 0
    this.state = this.keepAlive ? HEAD : STOPPED
    this.handler.onComplete(size)
  }

  /**
   * Reads the lines around chunks (RFC 9112 §7.1), byte by byte. Returns where to go on.
   * @type {(buf: Buffer, pos: number, end: number) => number}
   */
  readChunkSyntax (buf, pos, end) {
    const start = pos
    let state = this.state
    // Of the chunk's first line or the trailer section: both are bounded, be it by a size of zeros without end.
    let lineBytes = this.lineBytes
    // Where a trailer section that is wanted begins in this read.
    let trailer = state >= TRAILER_START && this.handler.wantsTrailers ? pos : -1
    while (pos < end) {
      const byte = buf[pos++]
      if (++lineBytes > MAX_HEAD) return this.fail('AC_HEAD_SIZE', end)
      switch (state) {
        case CHUNK_SIZE_FIRST:
          if (HEX[byte] < 0) return this.fail('AC_CHUNK', end)
          this.remaining = HEX[byte]
          lineBytes = 1
          state = CHUNK_SIZE
          break
        case CHUNK_SIZE:
          if (HEX[byte] >= 0) {
            this.remaining = this.remaining * 16 + HEX[byte]
            if (this.remaining > Number.MAX_SAFE_INTEGER) return this.fail('AC_CHUNK', end)
            break
          }
          // falls through
        case CHUNK_SPACE:
          // White space before an extension is "bad white space" that a reader has to accept (RFC 9112 §7.1.1); servers
          // pad the size with it, too.
          if (byte === CR) state = CHUNK_LINE_LF
          else if (byte === SEMICOLON) state = CHUNK_EXTENSION
          else if (byte === SP || byte === TAB) state = CHUNK_SPACE
          else return this.fail('AC_CHUNK', end)
          break
        case CHUNK_EXTENSION:
          if (byte === CR) state = CHUNK_LINE_LF
          else if (byte < SP ? byte !== TAB : byte === 127) return this.fail('AC_CHUNK', end)
          break
        case CHUNK_LINE_LF:
          if (byte !== LF) return this.fail('AC_CHUNK', end)
          lineBytes = 0
          if (this.remaining > 0) {
            this.state = CHUNK_DATA
            this.lineBytes = 0
            this.size += pos - start
            return pos
          }
          state = TRAILER_START
          if (this.handler.wantsTrailers) trailer = pos
          break
        case CHUNK_DATA_CR:
          if (byte !== CR) return this.fail('AC_CHUNK', end)
          state = CHUNK_DATA_LF
          break
        case CHUNK_DATA_LF:
          if (byte !== LF) return this.fail('AC_CHUNK', end)
          state = CHUNK_SIZE_FIRST
          break
        case TRAILER_START:
          if (byte === CR) state = TRAILER_END_LF
          else if (TOKEN[byte] === 1) state = TRAILER_NAME
          // obs-fold, as in parseHead: there has to be a line before it.
          else if ((byte === SP || byte === TAB) && lineBytes > 1) state = TRAILER_VALUE
          else return this.fail('AC_HEADER', end)
          break
        case TRAILER_NAME:
          if (byte === COLON) state = TRAILER_VALUE
          else if (TOKEN[byte] !== 1) return this.fail('AC_HEADER', end)
          break
        case TRAILER_VALUE:
          if (byte === CR) state = TRAILER_LF
          else if (byte < SP ? byte !== TAB : byte === 127) return this.fail('AC_HEADER', end)
          break
        case TRAILER_LF:
          if (byte !== LF) return this.fail('AC_HEADER', end)
          state = TRAILER_START
          break
        case TRAILER_END_LF:
          if (byte !== LF) return this.fail('AC_HEADER', end)
          this.size += pos - start
          if (trailer !== -1) this.endTrailers(buf, trailer, pos)
          this.complete()
          return pos
      }
    }
    if (trailer !== -1) this.section = Buffer.concat([this.section, buf.subarray(trailer, pos)])
    this.state = state
    this.lineBytes = lineBytes
    this.size += pos - start
    return pos
  }

  /** @param {Buffer} buf @param {number} from where the trailer section goes on @param {number} end */
  endTrailers (buf, from, end) {
    const section = Buffer.concat([this.section, buf.subarray(from, end)])
    this.section = EMPTY
    if (section.length > 2) this.handler.onTrailers?.(section)
  }

  /** @type {(code: import('../../core/errors').Code) => false} */
  refuse (code) {
    this.fail(code, 0)
    return false
  }

  /**
   * @template {number} T
   * @param {import('../../core/errors').Code} code
   * @param {T} end
   * @returns {T} end, so that nothing after it is read
   */
  fail (code, end) {
    this.state = STOPPED
    this.error = new ProtocolError(code)
    return end
  }
}

/**
 * Returns the index after the first empty line, 0 for none.
 * @type {(buf: Buffer, from: number, end: number) => number}
 */
function findHeadEnd (buf, from, end) {
  // Looks at every fourth byte, of which an empty line can't be made without being seen.
  let i = from + 3
  while (i < end) {
    const byte = buf[i]
    if (byte === LF) {
      if (buf[i - 1] === CR && buf[i - 2] === LF && buf[i - 3] === CR) return i + 1
      i += 2
    } else {
      i += byte === CR ? 1 : 4
    }
  }
  return 0
}

/** @type {(buf: Buffer, start: number, length: number) => boolean} */
function isFraming (buf, start, length) {
  return (length === 14 && equalsIgnoreCase(buf, start, 'content-length')) ||
    (length === 17 && equalsIgnoreCase(buf, start, 'transfer-encoding')) ||
    (length === 10 && equalsIgnoreCase(buf, start, 'connection'))
}

/**
 * Finds a word in a comma-separated value.
 * @param {Buffer} buf
 * @param {number} start
 * @param {number} end
 * @param {string} word in lower case
 * @returns {number} the index after the first item that starts with the word, -1 for none
 */
function findItem (buf, start, end, word) {
  let pos = start
  while (pos < end) {
    while (buf[pos] === COMMA || buf[pos] === SP || buf[pos] === TAB) pos++
    const wordEnd = pos + word.length
    if (wordEnd <= end && TOKEN[buf[wordEnd]] === 0 && equalsIgnoreCase(buf, pos, word)) return wordEnd
    while (pos < end && buf[pos] !== COMMA) pos++
  }
  return -1
}

/** @param {Buffer} buf @param {number} start @param {string} word in lower case */
function equalsIgnoreCase (buf, start, word) {
  for (let i = 0; i < word.length; i++) {
    if ((buf[start + i] | 32) !== word.charCodeAt(i)) return false
  }
  return true
}

module.exports = { ResponseParser, BODY, NO_BODY, UNREQUESTED, TUNNEL, MAX_HEAD }
