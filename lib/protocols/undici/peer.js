'use strict'

// Requests and responses through undici on one connection: undici writes and parses. Its events are collected, and read
// when its parser has processed the received bytes, as with bytes of a socket.

const { ConnectionError } = require('../../core/errors')
const { isEndedByPeer } = require('../../net/ended-by-peer')
const { LAST } = require('./failures')
const { Link } = require('./link')
const { WITH_BODY, encode, parse } = require('./requests')
const { deserialize } = require('../serialize')

/**
 * @typedef {import('./exchange').Exchange} Exchange
 * @typedef {import('../peer').Peer} Peer
 * @typedef {import('../peer').Receiver} Receiver
 *
 * @typedef {object} Common shared by all connections of a thread
 * @property {WeakMap<Buffer, import('./requests').Dispatch>} kept the dispatch form of repeated requests
 * @property {import('../../core/clock').Clock} now
 * @property {Pick<import('../../options/plan').Plan, 'pipelining' | 'http' | 'dispatcher'>} plan
 */

const NO_BYTES = Buffer.alloc(0)

class UndiciPeer {
  /**
   * @param {import('../peer').Owner} owner
   * @param {Receiver} receiver
   * @param {import('../peer').Net} net
   * @param {Common} common
   */
  constructor (owner, receiver, net, { kept, now, plan }) {
    this.owner = owner
    this.receiver = receiver
    this.net = net
    this.kept = kept
    this.now = now
    this.plan = plan
    /** @type {Link | import('./shared-link').SharedLink | null} */
    this.link = null
    this.capacity = Infinity
    /** undici has a queue, which holds no more than may be in flight. */
    this.blocked = false
    this.isOpen = false
    this.stopped = false
    /**
     * Why the connection has ended, where that gives no request its fate yet.
     * @type {Error & { code?: string } | null}
     */
    this.error = null
    /** @type {Error | null} */
    this.late = null
    /** Requests in flight, by row. @type {Array<Exchange | null>} */
    this.exchanges = []
    /** Those of which there is something to read. @type {Exchange[]} */
    this.news = []
    // Whether a read is scheduled.
    this.scheduled = false
    this.dispatching = false
    this.readNews = () => {
      this.scheduled = false
      if (this.isOpen) this.owner.received(0, NO_BYTES, 0, -1, -1)
    }
  }

  get closed () {
    return this.link === null
  }

  /** @type {Peer['open']} */
  open (target) {
    const { plan, net } = this
    this.stopped = false
    this.error = null
    this.exchanges.length = this.news.length = 0
    if (plan.dispatcher === null) {
      const link = this.link = new Link(this, target)
      return link.connect(net.connect, plan)
    }
    const link = this.link = new (require('./shared-link').SharedLink)(plan.dispatcher, target)
    setImmediate(() => { if (this.link === link) this.opened() })
  }

  /** The connection is open. */
  opened () {
    this.isOpen = true
    this.owner.opened()
  }

  greet () {}

  /** @type {Peer['send']} */
  send (bytes, row) {
    const link = /** @type {Link} */ (this.link)
    const exchange = this.exchanges[row] = new link.Exchange(this, row)
    this.dispatching = true
    const request = this.kept.get(bytes) ?? parse(bytes)
    if (link.isHttp2 && request.body !== null &&
      !WITH_BODY.has(request.method)) exchange.onError(new ConnectionError('AC_UNDICI_BODY'))
    else link.dispatch(request, exchange)
    this.dispatching = false
  }

  /** Nothing is held back. */
  flush () {}

  /** There is something to read of it. @param {Exchange} exchange */
  note (exchange) {
    if (exchange.noted || this.stopped) return
    exchange.noted = true
    this.news.push(exchange)
    if (exchange.error === null || !this.link?.isHttp2) this.schedule()
    else this.schedule(true)
  }

  /**
   * After all that undici reports now.
   * @param {boolean} [later] in the next turn: an error leads to a further request. If that fails at once, and so on,
   *   microtasks would block the event loop.
   */
  schedule (later = this.dispatching || this.link?.tellsAtOnce) {
    if (this.scheduled) return
    this.scheduled = true
    if (later) setImmediate(this.readNews)
    else queueMicrotask(this.readNews)
  }

  /** The connection has ended. */
  end () {
    this.stopped = true
    this.schedule()
  }

  read () {
    const { news } = this
    this.news = []
    for (const exchange of news) {
      exchange.noted = false
      if (exchange.peer === this) this.tell(exchange)
    }
    const { link } = this
    if (link === null || !link.isClosed) return
    this.stopped = true
    if (link.failure !== null) this.fail(link.failure)
  }

  /**
   * @param {Error & { code?: string }} error that has ended the connection: requests in flight fail, except for
   *   unwritten ones on a connection with responses
   */
  fail (error) {
    const { receiver } = this
    for (const [row, exchange] of this.exchanges.entries()) {
      // A row that this connection has not carried yet has none.
      if (!exchange || (receiver.completed > 0 && exchange.abort === null)) continue
      this.exchanges[row] = null
      exchange.peer = null
      receiver.onLost(row, error)
    }
  }

  /** @param {Exchange} exchange */
  tell (exchange) {
    const { receiver } = this
    const { row, head, chunks } = exchange
    if (head !== null && !exchange.toldHead) {
      exchange.toldHead = true
      exchange.wanted = receiver.looks && receiver.onHead(row, head)
    }
    if (exchange.wanted) for (const chunk of chunks) receiver.onBody(row, chunk, 0, chunk.length)
    chunks.length = 0
    if (exchange.endedAt === 0) return
    if (exchange.error !== null && this.mayRepeat(exchange)) {
      this.stopped = true
      this.error = exchange.error
      return
    }
    this.exchanges[row] = null
    exchange.peer = null
    receiver.readAt = exchange.endedAt
    if (exchange.error !== null) {
      const { isHttp2, failure } = /** @type {Link} */ (this.link)
      const isLast = isHttp2 && LAST.has(exchange.error.code ?? '')
      if (isLast) /** @type {Link} */ (this.link).fail(exchange.error)
      return receiver.onLost(row, (isLast ? failure : null) ?? exchange.error)
    }
    if (exchange.trailers.length > 0) receiver.onTrailers(row, exchange.trailers)
    receiver.onComplete(row, exchange.status, exchange.size, exchange.begunAt)
  }

  /**
   * undici fails the oldest request when the server ends an HTTP/1.1 connection. Whether that request is sent again
   * depends on its method, which the Connection knows, so the request stays in flight until the Connection settles it.
   * Over HTTP/2 undici has the same code for GOAWAY with an error. A dispatcher does not report which connection a
   * request had.
   * @param {Exchange} exchange that has failed
   */
  mayRepeat ({ error, begunAt }) {
    const { link, receiver } = this
    return link instanceof Link && !link.isHttp2 && begunAt === 0 && receiver.completed > 0 && isEndedByPeer(error)
  }

  /** Called several times a second. @param {number} at the time now */
  look (at) {
    const { link } = this
    if (link instanceof Link) {
      link.look(at, this.exchanges.some(exchange => exchange !== null) ? this.receiver.readAt : -1)
    }
  }

  /** @returns {boolean} whether the connection is still there */
  readIdle () {
    return !this.stopped
  }

  /** @type {Peer['hasBegun']} */
  hasBegun (row) {
    return (this.exchanges[row]?.begunAt ?? 0) > 0
  }

  /** undici has not written it. @type {Peer['untouched']} */
  untouched (row) {
    return this.exchanges[row]?.abort === null
  }

  /** Over HTTP/1.1 undici closes the connection for that. @type {Peer['cancel']} */
  cancel (row) {
    if (this.link === null || !this.link.keeps) return false
    this.exchanges[row]?.drop()
    this.exchanges[row] = null
    return true
  }

  /** The peer closed the connection: undici has reported the consequences. */
  finish () {}

  isStalled () {
    return false
  }

  countFailure () {
    return true
  }

  close () {
    const { link } = this
    if (link === null) return
    this.link = null
    this.isOpen = false
    link.destroy()
    for (const exchange of this.exchanges) exchange?.drop()
    this.news.length = 0
  }
}

/**
 * @param {Common['plan']} plan
 * @param {import('../../core/clock').Clock} now
 * @returns {import('../peer').Protocol} undici for the connections of one thread
 */
function undici (plan, now) {
  /** @type {Common} */
  const common = { kept: new WeakMap(), now, plan }
  return {
    encode,
    decode: deserialize,
    keep (bytes) {
      common.kept.set(bytes, parse(bytes))
      return bytes
    },
    joins: false,
    alpn: [plan.http === '2' ? 'h2' : 'http/1.1'],
    peer: (owner, receiver, inFlight, net) => new UndiciPeer(owner, receiver, net, common)
  }
}

module.exports = { UndiciPeer, undici }
