'use strict'

// WebSocket on one connection (RFC 6455): the handshake, responses to messages, unsolicited messages, pings and the
// close. For the receiver, a message in response is a response without a status.

const { ConnectionError } = require('../../core/errors')
const { show } = require('../../core/foreign-text')
const { SocketPeer } = require('../peer')
const { NORMAL, NO_STATUS, closeCodeOf, errorOfClose } = require('./close-codes')
const { Inflater, deflated, parseOffer } = require('./deflate')
const { FrameReader } = require('./frame-reader')
const { PAYLOAD_START, encode, plainClose, plainMessage, plainPing, plainPong, writeMasked } = require('./frame-writer')
const { Handshake } = require('./handshake')
const { NONE, SentKeys, messagesIn } = require('./in-flight')
const { parseMatch } = require('./matchers')
const { Pushed } = require('./pushed')

/** Instead of a status: messages have none. */
const NO_STATUS_CODE = 0
/** Never in a frame: the connection ended without a close frame (§7.1.5). */
const ABNORMAL = 1006
/** The server shuts down in order. */
const GOING_AWAY = 1001

/** Codes of an orderly end by the server. */
const ORDERLY = new Set([NORMAL, GOING_AWAY, NO_STATUS])

/** The golden ratio, which spreads the pings of connections over the interval. */
const SPREAD = 0.618034

/** The limit of a message in errors, bytes. */
const LONGEST_SHOWN = 200

/** @type {string[]} */
const NO_HEADERS = []

/** A message has no head. @type {import('../peer').ResponseHead} */
const HEAD = Object.freeze({
  status: NO_STATUS_CODE,
  rawHeaders: () => NO_HEADERS,
  statusLine: Object.freeze({ statusMessage: '', versionMajor: 1, versionMinor: 1 }),
  keep () {}
})

/**
 * Shared by all connections of a thread.
 * @typedef {object} Common
 * @property {import('./matchers').Matcher} matcher
 * @property {SentKeys} sentKeys of the matcher
 * @property {(target: import('../../requests/target').Target) => import('./handshake').Wanted} wantedOf
 * @property {number | null} pingMs interval of pings, ms; null without pings
 * @property {number} made connections so far
 * @property {Deflated} deflates messages that are sent compressed
 * @property {import('./matchers').Matcher['keyOf'] | null} ageOf reads the time at which an unsolicited message was
 *   sent, in ms since 1970; null when ages are not measured
 * @property {number} stallMs a longer gap between two unsolicited messages is a stall
 * @property {boolean} listens whether connections only receive messages
 *
 * @typedef {import('../peer').Peer} Peer
 * @typedef {import('./frame-reader').FrameReceiver} FrameReceiver
 */

/**
 * Compresses messages. Many connections send the same message, and none refers to earlier ones, so the last result is
 * cached.
 */
class Deflated {
  constructor () {
    this.bits = 0
    this.plain = null
    this.message = null
  }

  /**
   * @param {Buffer} plain a message
   * @param {import('./deflate').Deflate} deflate
   * @returns {Buffer} the compressed message
   */
  messageOf (plain, deflate) {
    if (this.message === null || this.plain !== plain || this.bits !== deflate.clientBits) {
      this.message = plainMessage(plain[0], deflated(plain.subarray(PAYLOAD_START), deflate), true)
      this.plain = plain
      this.bits = deflate.clientBits
    }
    return this.message
  }
}

class WebSocketPeer extends SocketPeer {
  /**
   * @param {import('../peer').Owner} owner
   * @param {import('../peer').Receiver} receiver
   * @param {import('../peer').InFlight} inFlight
   * @param {import('../peer').Net} net
   * @param {Common} common
   */
  constructor (owner, receiver, inFlight, net, common) {
    super(owner, receiver, inFlight, net)
    this.common = common
    this.counts = /** @type {import('../peer').MessageCounts} */ (net.messages)
    this.messages = messagesIn(inFlight, common.matcher, net.onFailure, common.sentKeys)
    this.reader = new FrameReader(this)
    this.pushed = net.pushed === null ? null : new Pushed(net, common)
    /** @type {Handshake | null} null after the server has accepted it */
    this.handshake = null
    /** Messages and control frames to mask and write. @type {Buffer[]} */
    this.unsent = []
    /** The pong for the last ping of this read. */
    this.pong = null
    /** The negotiated compression; null for none. @type {import('./deflate').Deflate | null} */
    this.deflate = null
    this.isOpen = false
    /** Whether the handshake has been sent. */
    this.hasSentHandshake = false
    // Whether the owner was notified that the connection is open.
    this.isReady = false
    this.stopped = false
    /** @type {Error & { code?: string } | null} */
    this.error = null
    // When the first byte of the current message was received.
    this.begunAt = 0
    // When the next ping is due, or Infinity; when the pending ping was sent, or −1.
    this.pingDue = Infinity
    this.pingedAt = -1
    // The number and payload of the last ping: its pong has the same payload.
    this.pings = 0
    this.pingPayload = ''
    this.place = common.made++ * SPREAD % 1
  }

  /** @type {Peer['open']} */
  open (target) {
    this.handshake = new Handshake(this.common.wantedOf(target))
    this.messages.reset()
    this.unsent.length = 0
    this.pong = null
    this.isOpen = this.isReady = this.stopped = this.hasSentHandshake = false
    this.error = null
    this.pingDue = Infinity
    this.pingedAt = -1
    super.open(target)
  }

  /** @param {import('../peer').Socket} socket the connection is open */
  begin (socket) {
    const { handshake } = this
    this.hasSentHandshake = true
    if (handshake !== null && !socket.write(handshake.begin())) this.stall()
  }

  get late () {
    return this.hasSentHandshake ? new ConnectionError('AC_WS_SILENT') : super.late
  }

  /** Reports that the connection is open or has failed, after the response to the handshake. */
  greet () {
    const { owner, error } = this
    // A server may accept and close a connection in one read: it was open nevertheless.
    if (this.stopped && (error !== null || !this.isOpen)) return owner.closed(error)
    if (!this.isOpen) return
    this.isReady = true
    owner.opened()
    if (this.stopped) owner.closed(null)
  }

  /** @type {Peer['send']} */
  send (bytes, row) {
    this.messages.sent(bytes, row)
    this.counts.sent++
    this.put(bytes)
  }

  /** @param {Buffer} frame of a message */
  put (frame) {
    this.unsent.push(this.deflate === null ? frame : this.common.deflates.messageOf(frame, this.deflate))
  }

  flush () {
    const { unsent } = this
    if (unsent.length === 0) return
    const socket = /** @type {import('../peer').Socket | null} */ (this.socket)
    const takesMore = socket === null || writeMasked(socket, unsent)
    // Assigning a length of 0 would free the memory of the list for each message.
    while (unsent.length > 0) unsent.pop()
    if (!takesMore) this.stall()
  }

  /** @type {Peer['read']} */
  read (buf, end, start) {
    if (this.stopped) return
    const { handshake, reader } = this
    if (handshake !== null) {
      start = handshake.read(buf, start, end)
      if (handshake.error !== null) {
        if (handshake.status > 0) this.counts.refuse(handshake.status)
        return this.fail(handshake.error)
      }
      if (!handshake.done) return
      this.accept(handshake)
    }
    if (start === end) return
    if (!reader.inside) this.begunAt = this.receiver.readAt
    reader.read(buf, start, end)
    if (this.pong === null) return
    // Only the last of several pings needs a pong (§5.5.3), and none is sent while the server does not read.
    if (!this.blocked) this.unsent.push(this.pong)
    this.pong = null
  }

  /** @param {{ deflate: import('./deflate').Deflate | null }} choice of the server in its response */
  accept ({ deflate }) {
    const { common: { pingMs }, net, place } = this
    this.handshake = null
    this.reader.reset(deflate === null ? null : new Inflater(deflate))
    this.deflate = deflate
    if (deflate !== null) this.counts.compressed++
    this.isOpen = true
    this.counts.opened++
    this.pushed?.open(this.receiver.readAt)
    if (pingMs !== null) this.pingDue = net.now() + pingMs * place
  }

  /** @type {Peer['readIdle']} */
  readIdle (buf, end, start) {
    this.read(buf, end, start)
    this.flush()
    return !this.stopped
  }

  /** @type {NonNullable<Peer['look']>} */
  look (at) {
    const { pingedAt, pingDue, common, net } = this
    if (pingedAt !== -1 && at - pingedAt >= net.timeout) {
      // As for requests, a timeout counts with its age: without it, a worse server would have better figures.
      this.counts.ponged(at - pingedAt)
      this.pingedAt = -1
      return this.owner.closed(this.error = new ConnectionError('AC_WS_PING_TIMEOUT'))
    }
    if (this.messages.mixed) return this.owner.closed(this.error = new ConnectionError('AC_WS_REPEATED'))
    if (at < pingDue || pingedAt !== -1 || this.blocked || !this.isOpen) return
    // Pings that were missed while the thread was busy are skipped.
    this.pingDue = Math.max(pingDue + /** @type {number} */ (common.pingMs), at)
    this.ping()
  }

  /** Sends a ping. None is pending. */
  ping () {
    this.pingedAt = this.net.now()
    this.unsent.push(plainPing(this.pingPayload = String(++this.pings)))
    this.flush()
  }

  /** Returns whether a response may have begun: the message must not be sent again then. */
  hasBegun () {
    return this.reader.inside
  }

  /** @returns {boolean} false: the server may have processed the message */
  untouched () {
    return false
  }

  /** @type {Peer['cancel']} */
  cancel (row) {
    return this.messages.forget(row)
  }

  /** Called after FIN: no response lasts until the end of the connection. */
  finish () {}

  /**
   * @param {import('../peer').Opening} socket
   * @param {Error & { code?: string } | null} error null after FIN
   */
  lost (socket, error) {
    if (this.socket !== socket) return
    if (this.isOpen && !this.stopped) {
      this.counts.close(ABNORMAL)
      this.pushed?.end(this.net.now())
      if (error === null && this.inFlight.count > 0) {
        error = new ConnectionError(this.reader.inside ? 'AC_TRUNCATED' : 'AC_WS_ABNORMAL')
      }
    }
    super.lost(socket, error)
  }

  retire () {
    if (this.isOpen && !this.stopped) this.pushed?.retire(this.net.now())
  }

  close () {
    if (this.closed) return
    if (this.isOpen && !this.stopped) this.leave(NORMAL)
    this.pushed?.abandon(this.net.now())
    if (this.pingedAt !== -1) this.counts.pendingPing(this.net.now() - this.pingedAt)
    this.pingedAt = -1
    this.reader.stop()
    this.handshake = null
    this.isOpen = false
    this.stopped = true
    super.close()
  }

  /** Sends a close frame before the connection is closed. @type {(code: number, reason?: string) => void} */
  leave (code, reason) {
    this.unsent.push(plainClose(code, reason))
    this.flush()
  }

  /** @param {Error & { code?: string } | null} error null for an orderly end */
  fail (error) {
    this.stopped = true
    this.error = error
  }

  // Events of the reader.

  /** @type {FrameReceiver['onMessage']} */
  onMessage (isText, bytes, start, end) {
    const { messages, counts, reader, begunAt } = this
    this.begunAt = this.receiver.readAt
    counts.received++
    const row = messages.rowOf(bytes, start, end)
    if (row === NONE) {
      if (messages.isLate(bytes, start, end)) counts.late++
      else this.onUnsolicited(bytes, start, end)
      return
    }
    this.complete(row, bytes, start, end, reader.size, begunAt)
  }

  /**
   * Completes a row with the message in response.
   * @type {(row: number, bytes: Buffer, start: number, end: number, size: number, begunAt: number) => void}
   */
  complete (row, bytes, start, end, size, begunAt) {
    const { receiver } = this
    if (receiver.looks && receiver.onHead(row, HEAD)) receiver.onBody(row, bytes, start, end)
    receiver.onComplete(row, NO_STATUS_CODE, size, begunAt)
  }

  /** Counts an unsolicited message. @type {(bytes: Buffer, start: number, end: number) => void} */
  onUnsolicited (bytes, start, end) {
    if (this.pushed !== null) this.pushed.add(bytes, start, end, this.receiver.readAt)
    else this.counts.unmatched++
  }

  /** @type {FrameReceiver['onPing']} */
  onPing (bytes, start, end) {
    this.pong = plainPong(bytes, start, end)
  }

  /** Ignores pongs without a ping, which are allowed (§5.5.3). @type {FrameReceiver['onPong']} */
  onPong (bytes, start, end) {
    if (this.pingedAt === -1 || bytes.toString('latin1', start, end) !== this.pingPayload) return
    this.counts.ponged(this.receiver.readAt - this.pingedAt)
    this.pingedAt = -1
  }

  /** @type {FrameReceiver['onClose']} */
  onClose (code, reason) {
    this.counts.close(code)
    this.pushed?.end(this.receiver.readAt)
    this.leave(code)
    // A close before the first message is a failure as well.
    const isOrderly = ORDERLY.has(code) && this.inFlight.count === 0 && (this.isReady || this.common.listens)
    this.fail(isOrderly ? null : new ConnectionError(errorOfClose(code), messageOf(code, reason)))
  }

  /** @type {FrameReceiver['onError']} */
  onError (error) {
    this.leave(closeCodeOf(error))
    this.fail(error)
  }
}

/** @param {number} code @param {string} reason */
function messageOf (code, reason) {
  const codeText = code === NO_STATUS ? 'without a code' : `with the code ${code}`
  return `the server closed the WebSocket ${codeText}${reason === '' ? '' : `: ${reason}`}`
}

/**
 * @param {SentKeys} keys
 * @param {string} match as given
 * @returns {import('../../templates/template').Finish} rejects a message without a key, to which nothing can respond
 */
function keyed (keys, match) {
  return message => {
    if (keys.of(message) === undefined) {
      const shown = message.toString('utf8', PAYLOAD_START, LONGEST_SHOWN)
      throw new ConnectionError('AC_WS_MATCH', `match: there is no text or number at the path of '${match}' in the ` +
        `message ${show(shown)}, so nothing can respond to it`)
    }
    return message
  }
}

/** @param {import('../../options/plan').Plan} plan @returns {Common} */
function commonOf ({ websocket, defaults: { headers }, hooks }) {
  const { match, subprotocols, pingMs, age, stallMs, listens, deflates } =
    /** @type {import('../../options/plan').WebSocketPlan} */ (websocket)
  const offer = deflates ? parseOffer() : null
  const matcher = parseMatch(hooks.match ?? match)
  return {
    deflates: new Deflated(),
    matcher,
    sentKeys: new SentKeys(matcher.keyOf),
    wantedOf: ({ authority, path, authorization }) =>
      ({ authority, path, authorization, headers, protocols: subprotocols, offer }),
    pingMs,
    made: 0,
    ageOf: age === null ? null : parseMatch(`json ${age}`).keyOf,
    stallMs,
    listens
  }
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @param {Common} [common]
 * @returns {import('../peer').Protocol} WebSocket for the connections of one thread
 */
function websocket (plan, common = commonOf(plan)) {
  const { match } = /** @type {import('../../options/plan').WebSocketPlan} */ (plan.websocket)
  return {
    encode,
    finish: common.matcher.kind === 'key' && !common.listens ? keyed(common.sentKeys, match) : undefined,
    joins: false,
    alpn: ['http/1.1'],
    peer: (owner, receiver, inFlight, net) => new WebSocketPeer(owner, receiver, inFlight, net, common)
  }
}

module.exports = { Deflated, WebSocketPeer, commonOf, websocket }
