'use strict'

// HTTP/2 on one connection (RFC 9113): assigns streams to requests, handles frames, and enforces the limits of the
// peer. The receiver handles responses.
//
// It is cheap for these reasons: header blocks of requests are encoded once; we announce a dynamic table of 0, so that
// equal bytes are an equal head, and a repeated head is compared and not decoded; all frames that result from one read
// go out in one write; windows have the maximum size, and are renewed by halves.

const { ConnectionError, ProtocolError } = require('../../core/errors')
const { HeadMemo } = require('../head-memo')
const { Head } = require('../head')
const { SocketPeer } = require('../peer')
const { skim } = require('./header-block')
const { Bodies } = require('./bodies')
const {
  ERRORS, HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, errorCodeOf
} = require('./codes')
const { Fragments } = require('./fragments')
const { FrameWriter } = require('./frame-writer')
const { PREFACE, SETTINGS_ACK, WINDOW } = require('./greeting')
const { HEAD_FORMAT } = require('./head-format')
const { Outbox } = require('./outbox')
const { KeptRequests, decode, encode, endOfHead, endOfRequest, finish } = require('./requests')
const { Streams, NONE, REQUESTED, RESPONDING } = require('./streams')
const {
  HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION,
  END_STREAM, ACK, END_HEADERS, PADDED, HAS_PRIORITY, FRAME_HEAD,
  FrameReader, readUint31, writeFrameHead, writeUint32
} = require('./frames')

const {
  NO_ERROR, PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR, REFUSED_STREAM, CANCEL,
  COMPRESSION_ERROR, ENHANCE_YOUR_CALM
} = ERRORS

/** A table of header fields that is smaller is of no use to us. */
const DEFAULT_TABLE = 4096

/** How much has come when a window is granted again: at most half of it is on the way then. */
const CREDIT = WINDOW / 2

/**
 * How many frames may come that bring no response forward, until it is a flood: PING, SETTINGS, empty DATA and the
 * like.
 */
const MAX_IDLE_FRAMES = 10_000

/** A WINDOW_UPDATE of this size is no idle one: a window has room for 2 million of them. */
const REAL_INCREMENT = 1024

/** How often a request is sent again that the peer refuses. */
const MAX_REFUSALS = 8

/** The number of reset streams that are remembered: their frames may still arrive. */
const MAX_RESET = 4096

/** The number of requests per connection: half of the stream ids, as a refused request takes another one (§5.1.1). */
const MAX_REQUESTS = 2 ** 29

/** The sizes of frames that have only one (§6), by type; 0 for others. */
const SIZES = new Uint8Array(256)
SIZES[PRIORITY] = 5
SIZES[RST_STREAM] = SIZES[WINDOW_UPDATE] = 4
SIZES[PING] = 8

/** The first bytes of a server without HTTP/2, and of one that expects TLS. */
const HTTP1 = Buffer.from('HTTP/1.')
const TLS_ALERT = 21

/**
 * Shared by all connections of a thread.
 * @typedef {{ memo: HeadMemo, kept: KeptRequests, outbox: Outbox, skimmed: import('./header-block').Framing & {
 *   framing: number } }} Common
 *
 * @typedef {import('./frames').FrameHandler} FrameHandler
 * @typedef {(flags: number, stream: number, buf: Buffer, start: number, end: number) => void} OnFrame
 *
 * @typedef {import('../peer').InFlight} InFlight
 * @typedef {import('../peer').Net} Net
 * @typedef {import('../peer').Owner} Owner
 * @typedef {import('../peer').Peer} Peer
 * @typedef {import('../peer').Receiver} Receiver
 */

class Http2Peer extends SocketPeer {
  /**
   * @param {Owner} owner
   * @param {Receiver} receiver
   * @param {InFlight} inFlight
   * @param {Net} net
   * @param {Common} common
   */
  constructor (owner, receiver, inFlight, net, common) {
    super(owner, receiver, inFlight, net)
    this.common = common
    this.writer = new FrameWriter(common.outbox, common.kept)
    this.streams = new Streams(inFlight.capacity)
    this.reader = new FrameReader(this)
    this.unsent = new Bodies(this.streams, this.writer, () => { this.idleFrames = 0 })
    this.fragments = new Fragments()
    /** @type {Array<Head | undefined>} of responses that are inspected, by row */
    this.heads = []
    /** @type {Set<number>} */
    this.reset = new Set()
    /** Rows of requests that wait for a stream. @type {number[]} */
    this.waiting = []
    /** Whether there is a connection, the SETTINGS of the peer have come, and it has taken requests. */
    this.isOpen = false
    this.greeted = false
    this.ready = false
    this.stopped = false
    /** @type {Error & { code?: string } | null} */
    this.error = null
    /** Whether the peer takes no more requests, and why. */
    this.draining = false
    /** @type {Error & { code?: string } | null} */
    this.drainError = null
    /** How much has been received that is not granted again. */
    this.ungranted = 0
    this.idleFrames = 0
    // Of the DATA frame that is read: its row, and whether it ends the stream.
    this.dataRow = NONE
    this.dataEnds = false
  }

  /** @type {Peer['open']} */
  open (target) {
    this.streams.reset()
    this.reader.reset()
    this.unsent.reset()
    this.fragments.reset()
    this.reset.clear()
    this.waiting.length = 0
    this.isOpen = this.greeted = this.ready = this.stopped = this.draining = this.dataEnds = false
    this.error = this.drainError = null
    this.capacity = Infinity
    this.ungranted = this.idleFrames = 0
    this.dataRow = NONE
    super.open(target)
  }

  /** @param {import('../peer').Socket} socket the connection is open */
  begin (socket) {
    this.isOpen = true
    this.writer.begin(socket)
    const { alpnProtocol } = socket
    if (alpnProtocol !== undefined && alpnProtocol !== 'h2') this.fail(new ConnectionError('AC_H2_ALPN'))
    else this.writer.put(PREFACE)
  }

  /** Requests wait for the SETTINGS of the peer (§3.4). */
  greet () {
    if (this.stopped) return this.owner.closed(this.error)
    this.flush()
    if (this.ready) this.owner.opened()
  }

  /** @type {Peer['send']} */
  send (bytes, row) {
    const { newer } = this.inFlight
    for (let at = 0; at < bytes.length; row = newer[row]) {
      this.streams.refusals[row] = 0
      at = this.sendOne(bytes, at, row)
    }
  }

  /**
   * @param {Buffer} bytes
   * @param {number} at where the request begins
   * @param {number} row
   * @returns {number} where it ends
   */
  sendOne (bytes, at, row) {
    const kept = this.common.kept.at(bytes, at)
    const end = kept === null ? endOfRequest(bytes, at) : at + kept.size
    if (this.streams.active >= this.capacity || this.draining) {
      this.waiting.push(row)
      this.receiver.onWait(row)
      return end
    }
    const id = this.streams.open(row, this.unsent.initialWindow)
    const body = kept === null ? endOfHead(bytes, at) : at + kept.headSize
    this.writer.putHead(bytes, at, body, kept, id)
    if (body < end) this.unsent.send(bytes, body, end, row, id)
    return end
  }

  flush () {
    if (!this.writer.flush()) this.stall()
  }

  /** @type {Peer['read']} */
  read (buf, end, start) {
    if (this.stopped) return
    // No SETTINGS is that long: one byte is enough to know.
    if (!this.greeted && !this.reader.inside && buf[start] === TLS_ALERT) {
      return this.fail(new ProtocolError('AC_TLS_ALERT'))
    }
    this.writer.look()
    this.reader.execute(buf, end, start)
    if (this.writer.isFlooded) this.failProtocol('AC_H2_FLOOD', ENHANCE_YOUR_CALM)
  }

  /** @type {Peer['readIdle']} */
  readIdle (buf, end, start) {
    this.read(buf, end, start)
    this.flush()
    return !this.stopped && !this.draining
  }

  /**
   * The first frame of the peer is not allowed: it may speak another protocol.
   * @param {Buffer} head of that frame
   * @param {number} at
   */
  failGreeting (head, at) {
    if (head.compare(HTTP1, 0, HTTP1.length, at, at + HTTP1.length) === 0) this.fail(new ConnectionError('AC_H2_HTTP1'))
    else this.failProtocol('AC_H2_PREFACE', FRAME_SIZE_ERROR)
  }

  get late () {
    return this.isOpen ? new ConnectionError(this.greeted ? 'AC_H2_NO_STREAMS' : 'AC_H2_SILENT') : super.late
  }

  /** A part of its first field block is enough. @type {Peer['hasBegun']} */
  hasBegun (row) {
    const { streams, fragments, reader } = this
    const id = streams.ids[row]
    return streams.phases[row] === RESPONDING || (id !== 0 && (id === fragments.stream || id === reader.partialStream))
  }

  /** No stream carries it, or none that the peer has looked at (§6.8). @type {Peer['untouched']} */
  untouched (row) {
    return this.streams.ids[row] === 0
  }

  /** The connection lives on, unless that was the last request of one that takes no more. @type {Peer['cancel']} */
  cancel (row) {
    const id = this.streams.ids[row]
    // The last one of a connection that takes no more.
    if (this.draining && id !== 0 && this.streams.active === 1) return false
    if (id === 0) {
      this.waiting = this.waiting.filter(one => one !== row)
    } else {
      this.resetStream(row, id, CANCEL)
      this.goOn()
    }
    this.flush()
    return true
  }

  /** @type {NonNullable<Peer['leave']>} */
  leave (row) {
    const { streams, receiver } = this
    this.resetStream(row, streams.ids[row], CANCEL)
    receiver.onComplete(row, streams.statuses[row], streams.sizes[row], streams.begunAts[row])
    if (!this.stopped) this.goOn()
  }

  /** The peer has ended the connection: no response lasts until then. */
  finish () {}

  close () {
    if (this.closed) return
    this.stopped = true
    this.writer.drop()
    super.close()
  }

  /** @param {Error & { code?: string } | null} error null when there is nothing wrong */
  fail (error) {
    this.stopped = true
    this.error = error
  }

  /**
   * The peer violates the protocol: it receives the code, and the connection ends (§5.4.1).
   * @type {(code: import('../../core/errors').Code, h2Code: number) => void}
   */
  failProtocol (code, h2Code) {
    if (this.stopped) return
    const frame = Buffer.alloc(FRAME_HEAD + 8)
    writeUint32(frame, writeUint32(frame, writeFrameHead(frame, 0, 8, GOAWAY, 0, 0), 0), h2Code)
    this.writer.put(frame)
    this.flush()
    this.fail(new ProtocolError(code))
  }

  // The handler of the reader.

  /** @type {FrameHandler['onTooLarge']} */
  onTooLarge (buf, at) {
    if (this.greeted) this.failProtocol('AC_H2_FRAME_SIZE', FRAME_SIZE_ERROR)
    else this.failGreeting(buf, at)
  }

  onBadPadding () {
    this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
  }

  /** @type {FrameHandler['onFrame']} */
  onFrame (type, flags, stream, buf, start, end) {
    // Only the SETTINGS of the peer may come first, and nothing between the parts of a header block (§3.4, §6.10).
    if (!this.greeted && (type !== SETTINGS || (flags & ACK) !== 0)) {
      return this.failProtocol('AC_H2_PREFACE', PROTOCOL_ERROR)
    }
    // Frames of the connection are on stream 0 (§6.5, §6.7, §6.8).
    const isOfConnection = type === SETTINGS || type === PING || type === GOAWAY
    if ((this.fragments.stream !== 0) !== (type === CONTINUATION) || (isOfConnection && stream !== 0)) {
      return this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
    }
    if (SIZES[type] !== 0 && end - start !== SIZES[type]) {
      return this.failProtocol('AC_H2_FRAME_SIZE', FRAME_SIZE_ERROR)
    }
    switch (type) {
      case HEADERS: return this.onHeaders(flags, stream, buf, start, end)
      case CONTINUATION: return this.onContinuation(flags, stream, buf, start, end)
      case SETTINGS: return this.onSettings(flags, buf, start, end)
      case WINDOW_UPDATE: return this.onWindowUpdate(stream, buf, start)
      case RST_STREAM: return this.onReset(stream, buf, start)
      case GOAWAY: return this.onGoaway(buf, start, end)
      case PING: return this.onPing(flags, buf, start, end)
      case PUSH_PROMISE: return this.failProtocol('AC_H2_PUSH', PROTOCOL_ERROR)
      // PRIORITY, which is deprecated, and unknown frames are ignored (§5.3.2, §5.5).
      default: this.countIdle()
    }
  }

  /** A frame has come that brings no response forward. */
  countIdle () {
    if (++this.idleFrames > MAX_IDLE_FRAMES) this.failProtocol('AC_H2_FLOOD', ENHANCE_YOUR_CALM)
  }

  /** @type {OnFrame} */
  onHeaders (flags, stream, buf, start, end) {
    let from = start
    let to = end
    if ((flags & PADDED) !== 0) to -= buf[from++]
    if ((flags & HAS_PRIORITY) !== 0) from += 5
    if (from > to || stream === 0) return this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
    if ((flags & END_HEADERS) !== 0) return this.onBlock(flags, stream, buf, from, to, FRAME_HEAD + end - start)
    this.fragments.begin(stream, flags)
    this.keepFragment(buf, from, to)
  }

  /** @type {OnFrame} */
  onContinuation (flags, stream, buf, start, end) {
    const { fragments } = this
    if (stream !== fragments.stream) return this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
    if (start === end) this.countIdle()
    if (this.stopped || !this.keepFragment(buf, start, end) || (flags & END_HEADERS) === 0) return
    fragments.stream = 0
    this.onBlock(fragments.flags, stream, fragments.bytes, 0, fragments.size, FRAME_HEAD + fragments.size)
  }

  /** Returns whether there is room for it. @type {(buf: Buffer, start: number, end: number) => boolean} */
  keepFragment (buf, start, end) {
    if (this.fragments.add(buf, start, end)) return true
    this.failProtocol('AC_HEAD_SIZE', ENHANCE_YOUR_CALM)
    return false
  }

  /**
   * A whole header block.
   * @param {number} flags of its first frame
   * @param {number} id
   * @param {Buffer} buf
   * @param {number} start
   * @param {number} end
   * @param {number} size of its frames
   */
  onBlock (flags, id, buf, start, end, size) {
    const { streams, receiver, common: { memo, skimmed } } = this
    const row = this.streams.rowOf(id)
    const ends = (flags & END_STREAM) !== 0
    const isTrailer = row !== NONE && streams.phases[row] === RESPONDING
    if (isTrailer || end - start !== memo.length || !memo.matches(buf, start, end)) {
      const code = skim(buf, start, end, skimmed, isTrailer)
      if (code === 'AC_H2_COMPRESSION') return this.failProtocol(code, COMPRESSION_ERROR)
      if (row === NONE) return this.onLateFrame(id, ends)
      // RFC 9113 §8.1: trailers are the last that comes.
      if (code !== null || (isTrailer && !ends)) return this.failStream(row, code ?? 'AC_H2_MALFORMED')
      if (!isTrailer && skimmed.status >= 200) memo.remember(buf, start, end, skimmed)
    } else {
      if (row === NONE) return this.onLateFrame(id, ends)
      skimmed.status = memo.status
      skimmed.contentLength = memo.contentLength
    }
    streams.sizes[row] += size
    if (isTrailer) {
      if (receiver.looks) receiver.onTrailers(row, memo.format.rawHeaders(buf, start, end))
    } else {
      const { status } = skimmed
      if (streams.begunAts[row] === -1) streams.begunAts[row] = receiver.readAt
      if (status < 200) {
        if (ends || status === 101) this.failStream(row, 'AC_H2_MALFORMED')
        else this.countIdle()
        return
      }
      streams.phases[row] = RESPONDING
      streams.statuses[row] = status
      streams.lengths[row] = skimmed.contentLength
      if (receiver.looks) {
        const head = this.heads[row] ??= new Head(memo)
        streams.wanted[row] = receiver.onHead(row, head.read(status, buf, start, end)) ? 1 : 0
        // The next block may take that place before the read is over.
        if (buf === this.fragments.bytes || buf === this.reader.partial) head.keep()
      }
    }
    if (ends && !this.stopped) this.complete(row)
  }

  /**
   * A frame for a stream that carries no request.
   * @param {number} id
   * @param {boolean} ends whether it is the last of the stream
   * @param {number} [length] of its body, which was on its way
   */
  onLateFrame (id, ends, length = 0) {
    if (this.stopped) return
    if (this.isUnopened(id)) return this.failProtocol('AC_UNREQUESTED', PROTOCOL_ERROR)
    if (!this.reset.has(id)) return this.failProtocol('AC_H2_STREAM_CLOSED', STREAM_CLOSED)
    if (ends) this.reset.delete(id)
    if (length === 0) this.countIdle()
  }

  /** Returns whether we have never opened that stream (§5.1: idle). @type {(id: number) => boolean} */
  isUnopened (id) {
    return id >= this.streams.next || (id & 1) === 0
  }

  /** @type {FrameHandler['onDataStart']} */
  onDataStart (id, length, flags) {
    if (!this.greeted || this.fragments.stream !== 0) {
      return this.failProtocol(this.greeted ? 'AC_H2_PROTOCOL' : 'AC_H2_PREFACE', PROTOCOL_ERROR)
    }
    const { streams } = this
    const row = this.streams.rowOf(id)
    this.dataRow = row
    this.dataEnds = (flags & END_STREAM) !== 0
    // All DATA uses up the connection's window (§6.9).
    this.ungranted += length
    if (this.ungranted > CREDIT) {
      this.writer.putNumber(WINDOW_UPDATE, 0, this.ungranted)
      this.ungranted = 0
    }
    if (row === NONE) return this.onLateFrame(id, this.dataEnds, length)
    if (streams.phases[row] !== RESPONDING) {
      this.dataRow = NONE
      return this.failStream(row, 'AC_H2_MALFORMED')
    }
    streams.sizes[row] += FRAME_HEAD + length
    streams.received[row] += length
    if (streams.received[row] > CREDIT) {
      if (!this.dataEnds) this.writer.putNumber(WINDOW_UPDATE, id, streams.received[row])
      streams.received[row] = 0
    }
    if (length > 0) this.idleFrames = 0
    else if (!this.dataEnds) this.countIdle()
  }

  /** @type {FrameHandler['onDataSpan']} */
  onDataSpan (buf, start, end) {
    const { dataRow: row, streams } = this
    if (row === NONE) return
    streams.bodies[row] += end - start
    if (streams.wanted[row] === 1) this.receiver.onBody(row, buf, start, end)
  }

  onDataEnd () {
    const { dataRow: row } = this
    this.dataRow = NONE
    if (row !== NONE && this.dataEnds && !this.stopped) this.complete(row)
  }

  /** @param {number} row whose response has ended */
  complete (row) {
    const { streams, inFlight, receiver } = this
    const length = streams.lengths[row]
    const status = streams.statuses[row]
    // §8.1.1. Responses to HEAD, and 304, have the length of the omitted body.
    if (length !== -1 && length !== streams.bodies[row] &&
      !(streams.bodies[row] === 0 && (status === 304 || inFlight.methodOf(row) === 'HEAD'))) {
      return this.failStream(row, 'AC_H2_MALFORMED')
    }
    const id = streams.ids[row]
    if (this.unsent.has(row) &&
      (this.draining || !this.unsent.leave(row, this.capacity))) this.resetStream(row, id, NO_ERROR)
    else streams.close(row)
    this.idleFrames = 0
    receiver.onComplete(row, status, streams.sizes[row], streams.begunAts[row])
    if (!this.stopped) this.goOn()
  }

  /** Windows have become wider. */
  pump () {
    this.unsent.pump()
    if (this.waiting.length > 0 && !this.draining && !this.stopped) this.goOn()
  }

  /**
   * The peer takes no more requests: the connection ends with the last response, and rests of bodies with a complete
   * response are not sent.
   */
  drain () {
    this.draining = true
    this.capacity = 0
    this.unsent.endRests()
  }

  /** A stream has ended: a waiting request may have it. */
  goOn () {
    if (this.draining) {
      if (this.streams.active > 0) return
      // Bytes that are counted as sent go out.
      this.flush()
      this.fail(this.drainError)
      return
    }
    const { inFlight } = this
    while (this.waiting.length > 0 && this.streams.active < this.capacity) {
      const row = /** @type {number} */ (this.waiting.shift())
      this.receiver.onRepeat(row)
      this.sendOne(inFlight.bytesOf(row), 0, row)
    }
  }

  /** @param {number} row @param {number} id its stream @param {number} h2Code */
  resetStream (row, id, h2Code) {
    this.unsent.drop(row)
    this.streams.close(row)
    // The rest of its DATA frame belongs to no request.
    if (this.dataRow === row) this.dataRow = NONE
    this.forget(id, h2Code)
  }

  /** Frames that still arrive on the stream belong to no request. @type {(id: number, h2Code: number) => void} */
  forget (id, h2Code) {
    this.writer.putNumber(RST_STREAM, id, h2Code)
    this.unsent.endRest(id)
    if (this.reset.size === MAX_RESET) this.reset.delete(this.reset.values().next().value ?? 0)
    this.reset.add(id)
  }

  /**
   * The response to one request is malformed, and the others are not (§8.1.1).
   * @type {(row: number, code: import('../../core/errors').Code, h2Code?: number) => void}
   */
  failStream (row, code, h2Code = PROTOCOL_ERROR) {
    this.resetStream(row, this.streams.ids[row], h2Code)
    this.receiver.onLost(row, new ProtocolError(code))
    if (!this.stopped) this.goOn()
  }

  /** @type {(id: number, buf: Buffer, start: number) => void} */
  onReset (id, buf, start) {
    const row = this.streams.rowOf(id)
    if (row === NONE) {
      if (this.isUnopened(id)) return this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
      this.reset.delete(id)
      // It has responded, and wants no more of the body (§8.1).
      if (this.unsent.endRest(id) && !this.draining) this.goOn()
      return this.countIdle()
    }
    const h2Code = buf.readUInt32BE(start)
    const { streams } = this
    const isRefused = h2Code === REFUSED_STREAM && streams.phases[row] === REQUESTED
    this.unsent.drop(row)
    streams.close(row)
    if (isRefused && streams.refusals[row]++ < MAX_REFUSALS) {
      // The peer did nothing with it (§8.7).
      this.waiting.push(row)
    } else {
      this.receiver.onLost(row, new ProtocolError(errorCodeOf('AC_H2_RESET', h2Code)))
    }
    if (!this.stopped) this.goOn()
  }

  /** @type {(buf: Buffer, start: number, end: number) => void} */
  onGoaway (buf, start, end) {
    if (end - start < 8) return this.failProtocol('AC_H2_FRAME_SIZE', FRAME_SIZE_ERROR)
    const last = readUint31(buf, start)
    const h2Code = buf.readUInt32BE(start + 4)
    this.drainError = h2Code === NO_ERROR ? null : new ProtocolError(errorCodeOf('AC_H2_GOAWAY', h2Code))
    this.drain()
    this.countIdle()
    if (this.stopped) return
    // Requests that the peer has not processed are sent again on the next connection (§6.8).
    const { streams } = this
    for (let row = 0; row < streams.ids.length; row++) {
      if (streams.ids[row] <= last) continue
      this.unsent.drop(row)
      streams.close(row)
    }
    this.receiver.onLimit()
    this.goOn()
  }

  /** @type {(flags: number, buf: Buffer, start: number, end: number) => void} */
  onSettings (flags, buf, start, end) {
    const size = end - start
    if (size % 6 !== 0 || ((flags & ACK) !== 0 && size > 0)) {
      return this.failProtocol('AC_H2_FRAME_SIZE', FRAME_SIZE_ERROR)
    }
    // Each setting may be work for all streams.
    this.idleFrames += size / 6
    this.countIdle()
    if ((flags & ACK) !== 0) return
    for (let at = start; at < end && !this.stopped; at += 6) {
      this.onSetting(buf.readUInt16BE(at), buf.readUInt32BE(at + 2))
    }
    if (this.stopped) return
    this.writer.put(SETTINGS_ACK)
    this.greeted = true
    // A connection that has taken requests completes them, even with a new limit.
    if (this.capacity > 0) this.ready = true
    this.pump()
  }

  /** @type {(setting: number, value: number) => void} */
  onSetting (setting, value) {
    switch (setting) {
      case HEADER_TABLE_SIZE:
        if (value < DEFAULT_TABLE) this.writer.leaveTable()
        return
      case ENABLE_PUSH:
        if (value !== 0) this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
        return
      case MAX_CONCURRENT_STREAMS:
        if (this.draining) return
        this.capacity = value
        // When it will take requests again is unknown: another connection may take them.
        if (value === 0 && this.ready) this.drain()
        for (const id of this.unsent.excess(value)) this.forget(id, NO_ERROR)
        this.receiver.onLimit()
        if (this.draining) this.goOn()
        return
      case INITIAL_WINDOW_SIZE:
        if (!this.unsent.setInitialWindow(value)) this.failProtocol('AC_H2_FLOW_CONTROL', FLOW_CONTROL_ERROR)
        return
      case MAX_FRAME_SIZE:
        if (value < 16384 || value > 2 ** 24 - 1) this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
    }
  }

  /** @type {(id: number, buf: Buffer, start: number) => void} */
  onWindowUpdate (id, buf, start) {
    const increment = readUint31(buf, start)
    if (increment < REAL_INCREMENT) this.countIdle()
    if (this.stopped) return
    if (id === 0) {
      if (increment === 0) return this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
      if (!this.unsent.widen(increment)) return this.failProtocol('AC_H2_FLOW_CONTROL', FLOW_CONTROL_ERROR)
    } else {
      const row = this.streams.rowOf(id)
      if (row === NONE) {
        if (this.isUnopened(id)) this.failProtocol('AC_H2_PROTOCOL', PROTOCOL_ERROR)
        else if (increment >= REAL_INCREMENT) this.countIdle()
        if (!this.unsent.rests.has(id) || this.stopped) return
        // The request is completed: nothing but the rest of its body is lost.
        if (increment === 0) this.forget(id, PROTOCOL_ERROR)
        else if (!this.unsent.widenRest(id, increment)) this.forget(id, FLOW_CONTROL_ERROR)
        return this.pump()
      }
      if (increment === 0) return this.failStream(row, 'AC_H2_PROTOCOL')
      if (!this.unsent.widenStream(row, increment)) {
        return this.failStream(row, 'AC_H2_FLOW_CONTROL', FLOW_CONTROL_ERROR)
      }
    }
    this.pump()
  }

  /** @type {(flags: number, buf: Buffer, start: number, end: number) => void} */
  onPing (flags, buf, start, end) {
    this.countIdle()
    if ((flags & ACK) === 0 && !this.stopped) this.writer.putPong(buf, start, end)
  }
}

/** @returns {Common} of the connections of one thread: their compiled requests, and the memory of the last head */
function makeCommon () {
  return {
    memo: new HeadMemo(HEAD_FORMAT), kept: new KeptRequests(), outbox: new Outbox(),
    skimmed: { status: 0, contentLength: -1, framing: 0 }
  }
}

/** @returns {import('../peer').Protocol} HTTP/2 for the connections of one thread */
function http2 () {
  const common = makeCommon()
  const { kept } = common
  return {
    encode,
    finish,
    keep: bytes => kept.keep(bytes),
    decode,
    joins: true,
    alpn: ['h2'],
    perSocket: MAX_REQUESTS,
    peer: (owner, receiver, inFlight, net) => new Http2Peer(owner, receiver, inFlight, net, common)
  }
}

module.exports = { Http2Peer, http2, makeCommon }
