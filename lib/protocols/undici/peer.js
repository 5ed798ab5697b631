'use strict'

// Sends requests through undici on one connection. Events of undici are collected, and processed after its parser has
// returned, as with reads of a socket.

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
 * @property {WeakMap<Buffer, import('./requests').Dispatch>} kept the parsed form of repeated requests
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
    /** undici queues requests, so the peer is never blocked. */
    this.blocked = false
    this.isOpen = false
    this.stopped = false
    /**
     * The reason for the end of the connection, when it does not settle requests yet.
     * @type {Error & { code?: string } | null}
     */
    this.error = null
    /** @type {Error | null} */
    this.late = null
    /** Requests in flight, by row. @type {Array<Exchange | null>} */
    this.exchanges = []
    /** Requests in flight with events to process. @type {Exchange[]} */
    this.news = []
    // Whether processing of events is scheduled.
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

  /** Nothing is buffered. */
  flush () {}

  /** Schedules the processing of its events. @param {Exchange} exchange */
  note (exchange) {
    if (exchange.noted || this.stopped) return
    exchange.noted = true
    this.news.push(exchange)
    if (exchange.error === null || !this.link?.isHttp2) this.schedule()
    else this.schedule(true)
  }

  /**
   * Schedules the processing of events after those of the current call.
   * @param {boolean} [later] whether to wait for the next turn of the event loop. An error leads to another request: if
   *   each fails at once, microtasks would block the event loop
   */
  schedule (later = this.dispatching || this.link?.mayRespondSynchronously) {
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
      if (exchange.peer === this) this.settle(exchange)
    }
    const { link } = this
    if (link === null || !link.isClosed) return
    this.stopped = true
    if (link.failure !== null) this.fail(link.failure)
  }

  /**
   * @param {Error & { code?: string }} error that has ended the connection. Requests in flight fail; unwritten ones are
   *   kept if the connection had a response
   */
  fail (error) {
    const { receiver } = this
    for (const [row, exchange] of this.exchanges.entries()) {
      // Rows without a request on this connection have none.
      if (!exchange || (receiver.completed > 0 && exchange.abort === null)) continue
      this.exchanges[row] = null
      exchange.peer = null
      receiver.onLost(row, error)
    }
  }

  /** @param {Exchange} exchange */
  settle (exchange) {
    const { receiver } = this
    const { row, head, chunks } = exchange
    if (head !== null && !exchange.hasReportedHead) {
      exchange.hasReportedHead = true
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
   * When the server ends an HTTP/1.1 connection, undici fails the oldest request. Whether it is sent again depends on
   * its method, so it stays in flight until the Connection decides. This excludes HTTP/2, where GOAWAY with an error
   * has the same code, and dispatchers, which do not report the connection of a request.
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

  /** @returns {boolean} whether the connection is still open */
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

  /** Over HTTP/1.1 undici would close the connection. @type {Peer['cancel']} */
  cancel (row) {
    if (this.link === null || !this.link.keeps) return false
    this.exchanges[row]?.drop()
    this.exchanges[row] = null
    return true
  }

  /** Called after FIN: undici reports it itself. */
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
