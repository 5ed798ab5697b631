'use strict'

// HTTP/1.1 on one connection: assigns responses to requests. Responses arrive in the order of the requests (RFC 9112
// §9.3.2), so each belongs to the oldest request in flight. The receiver handles the response.

const { HeadMemo } = require('../head-memo')
const { Head } = require('../head')
const { SocketPeer } = require('../peer')
const { HEAD_FORMAT, rawTrailers } = require('./head-format')
const { ResponseParser, BODY, NO_BODY, UNREQUESTED, TUNNEL } = require('./response-parser')
const { deserialize, serialize } = require('../serialize')

/**
 * @typedef {import('../peer').InFlight} InFlight
 * @typedef {import('../peer').Net} Net
 * @typedef {import('../peer').Owner} Owner
 * @typedef {import('../peer').Peer} Peer
 * @typedef {import('../peer').Receiver} Receiver
 * @typedef {import('./response-parser').ResponseHandler} ResponseHandler
 */

/** No row. */
const NONE = -1

class Http1Peer extends SocketPeer {
  /**
   * @param {Owner} owner
   * @param {Receiver} receiver
   * @param {InFlight} inFlight
   * @param {Net} net
   * @param {HeadMemo} memo
   */
  constructor (owner, receiver, inFlight, net, memo) {
    super(owner, receiver, inFlight, net)
    this.parser = new ResponseParser(this, memo)
    this.memo = memo
    /** @type {Head | null} null until responses are inspected */
    this.head = null
    this.wantsBody = false
    this.wantsTrailers = false
    // When the first byte of the response came that is read now.
    this.begunAt = 0
    // The row whose response had begun when the connection was closed.
    this.begunRow = NONE
  }

  /** @type {Peer['open']} */
  open (target) {
    this.parser.reset()
    super.open(target)
  }

  /** It takes requests at once. */
  greet () {
    if (this.stopped) this.owner.closed(this.error)
    else this.owner.opened()
  }

  /** @param {Buffer} bytes of requests, which may go in one write */
  send (bytes) {
    const socket = /** @type {import('../peer').Socket} */ (this.socket)
    if (!socket.write(bytes)) this.stall()
  }

  /** Nothing is held back. */
  flush () {}

  /** @type {Peer['read']} */
  read (buf, end, start) {
    const { parser } = this
    if (!parser.inside) this.begunAt = this.receiver.readAt
    parser.execute(buf, end, start)
  }

  /** @returns {boolean} false: after unsolicited bytes the connection is unusable */
  readIdle () {
    return false
  }

  /**
   * @returns {boolean} whether this connection brings no further response: `error` is the reason, null after its last
   *   one
   */
  get stopped () {
    return this.parser.stopped
  }

  get error () {
    return this.parser.error
  }

  /** @type {Peer['hasBegun']} */
  hasBegun (row) {
    return row === (this.closed ? this.begunRow : this.inside)
  }

  /** @returns {number} the row whose response has begun and not ended */
  get inside () {
    return this.parser.inside ? this.inFlight.oldest : NONE
  }

  /** @returns {boolean} false: HTTP/1.1 cannot report that a request was ignored */
  untouched () {
    return false
  }

  /**
   * Cancels one request.
   * @returns {boolean} false: a later response can't be distinguished from its own, so the connection has to end
   */
  cancel () {
    return false
  }

  /** The connection brings nothing else. */
  leave () {
    this.parser.leave()
  }

  /** The peer closed the connection in an orderly way: ends a body that lasts until then. */
  finish () {
    this.parser.finish()
  }

  close () {
    if (this.closed) return
    this.begunRow = this.inside
    this.parser.stop()
    super.close()
  }

  // The handler of the parser.

  /** @type {ResponseHandler['onHead']} */
  onHead (status, buf, start, end) {
    const { inFlight, receiver } = this
    if (inFlight.count === 0) return UNREQUESTED
    const row = inFlight.oldest
    if (receiver.looks) {
      this.head ??= new Head(this.memo)
      this.wantsTrailers = true
      this.wantsBody = receiver.onHead(row, this.head.read(status, buf, start, end))
    }
    const method = inFlight.methodOf(row)
    if (method === 'GET') return BODY
    return method === 'HEAD' ? NO_BODY : method === 'CONNECT' ? TUNNEL : BODY
  }

  /** @type {ResponseHandler['onBody']} */
  onBody (buf, start, end) {
    this.receiver.onBody(this.inFlight.oldest, buf, start, end)
  }

  /** @param {Buffer} section */
  onTrailers (section) {
    this.receiver.onTrailers(this.inFlight.oldest, rawTrailers(section))
  }

  /** @param {number} size */
  onComplete (size) {
    const { receiver, begunAt } = this
    this.begunAt = receiver.readAt
    receiver.onComplete(this.inFlight.oldest, this.parser.status, size, begunAt)
  }
}

/**
 * @param {((target: import('../../requests/target').Target) => { authorization: string | null } | null) | null}
 *   [proxyOf] the proxy that takes the requests to a target, which are for the server otherwise
 * @returns HTTP/1.1 for the connections of one thread, which share the memory of the last head
 */
function http1 (proxyOf = null) {
  const memo = new HeadMemo(HEAD_FORMAT)
  return {
    /** @type {import('../../templates/template').Encode} */
    encode: proxyOf === null
      ? serialize
      : (request, target, writeLength) => serialize(request, target, writeLength, proxyOf(target)),
    decode: deserialize,
    /** Whether several requests may go in one write, as bytes in a row. */
    joins: true,
    alpn: ['http/1.1'],
    /** @type {import('../peer').MakePeer} */
    peer: (owner, receiver, inFlight, net) => new Http1Peer(owner, receiver, inFlight, net, memo)
  }
}

module.exports = { http1 }
