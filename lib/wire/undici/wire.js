'use strict'

// Owns requests and answers by way of undici on one connection: undici writes and parses, and tells of each request what becomes of it.
// That is gathered, and read when undici's parser is done with what has arrived, as bytes of a socket would be.

const { ConnectionError } = require('../../errors')
const { isEndedByPeer } = require('../ended-by-peer')
const { LAST } = require('./failures')
const { Link } = require('./link')
const { WITH_BODY } = require('./methods')
const { encode, parse } = require('./requests')
const { deserialize } = require('../http1/serialize')

/** @typedef {import('./exchange').Exchange} Exchange */

/** @typedef {Omit<import('../http1/wire').Receiver, 'onHead'> & { onHead: (row: number, head: import('./exchange').UndiciHead) => boolean, onLost: (row: number, error: Error & { code?: string }) => void, count: number }} Receiver */

class UndiciWire {
  /**
   * @param {Receiver} receiver
   * @param {WeakMap<Buffer, import('./requests').Dispatch>} kept what requests that are sent again and again are for undici
   * @param {import('../../clock').Clock} now
   */
  constructor (receiver, kept, now) {
    this.receiver = receiver
    this.kept = kept
    this.now = now
    /** @type {Link | import('./shared-link').SharedLink | null} */
    this.link = null
    this.capacity = Infinity
    this.ready = true
    this.stopped = false
    /** Why the connection has ended, where that gives no request its fate yet. @type {Error & { code?: string } | null} */
    this.error = null
    /** What is in flight, by row. @type {Array<Exchange | null>} */
    this.exchanges = []
    /** Those of which there is something to read. @type {Exchange[]} */
    this.news = []
    // Whether somebody is about to read.
    this.scheduled = false
    this.dispatching = false
    this.readNews = () => {
      this.scheduled = false
      this.link?.onNews()
    }
  }

  /**
   * @param {Link | import('./shared-link').SharedLink} link the connection is there
   * @returns {boolean} true: it takes requests at once
   */
  open (link) {
    this.stopped = false
    this.error = null
    this.link = link
    link.wire = this
    return true
  }

  /**
   * @param {Buffer} bytes of one request
   * @param {number} row
   * @returns {boolean} true: undici has a queue, which holds no more than may be in flight
   */
  write (bytes, row) {
    const link = /** @type {Link} */ (this.link)
    const exchange = this.exchanges[row] = new link.Exchange(this, row)
    this.dispatching = true
    const request = this.kept.get(bytes) ?? parse(bytes)
    if (link.isHttp2 && request.body !== null && !WITH_BODY.has(request.method)) exchange.onError(new ConnectionError('AC_UNDICI_BODY'))
    else link.dispatch(request, exchange)
    this.dispatching = false
    return true
  }

  /** @returns {boolean} true: nothing is held back */
  flush () {
    return true
  }

  /**
   * There is something to read of it.
   * @param {Exchange} exchange
   */
  note (exchange) {
    if (exchange.noted || this.stopped) return
    exchange.noted = true
    this.news.push(exchange)
    if (exchange.error === null || !this.link?.isHttp2) this.schedule()
    else this.schedule(true)
  }

  /**
   * After all that undici reports now.
   * @param {boolean} [later] in the next turn: an error leads to a further request. If that fails at once, and so on, microtasks would block the event loop.
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
      if (exchange.wire === this) this.tell(exchange)
    }
    const { link } = this
    if (link === null || !link.isClosed) return
    this.stopped = true
    if (link.failure !== null) this.fail(link.failure)
  }

  /** @param {Error & { code?: string }} error that has ended the connection: what is in flight fails by it, but what undici has not written where answers have come */
  fail (error) {
    const { receiver } = this
    for (const [row, exchange] of this.exchanges.entries()) {
      // A row that this connection has not carried yet has none.
      if (!exchange || (receiver.count > 0 && exchange.abort === null)) continue
      this.exchanges[row] = null
      exchange.wire = null
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
    exchange.wire = null
    receiver.readAt = exchange.endedAt
    if (exchange.error !== null) {
      const { isHttp2, failure } = /** @type {Link} */ (this.link)
      const isLast = isHttp2 && LAST.has(exchange.error.code ?? '')
      if (isLast) /** @type {Link} */ (this.link).fail(exchange.error)
      return receiver.onLost(row, (isLast ? failure : null) ?? exchange.error)
    }
    receiver.onComplete(row, exchange.status, exchange.size, exchange.begunAt)
  }

  /**
   * undici fails the oldest request when the server ends an HTTP/1.1 connection. Whether that request is sent again depends on its method, which the
   * Connection knows, so the request stays in flight until the Connection settles it. Over HTTP/2 undici has the same code for GOAWAY with an error. A
   * dispatcher does not report which connection a request had.
   * @param {Exchange} exchange that has failed
   * @returns {boolean}
   */
  mayRepeat ({ error, begunAt }) {
    const { link, receiver } = this
    return link instanceof Link && !link.isHttp2 && begunAt === 0 && receiver.count > 0 && isEndedByPeer(error)
  }

  /**
   * Called several times a second.
   * @param {number} at the time now
   */
  look (at) {
    const { link } = this
    if (!(link instanceof Link) || !link.isHttp2) return
    const hasInFlight = this.exchanges.some(exchange => exchange !== null)
    link.look(at, hasInFlight ? this.receiver.readAt : -1)
  }

  /** @returns {boolean} whether the connection is still there */
  readIdle () {
    return !this.stopped
  }

  /**
   * @param {number} row
   * @returns {boolean} whether its answer has begun
   */
  hasBegun (row) {
    return (this.exchanges[row]?.begunAt ?? 0) > 0
  }

  /**
   * @param {number} row
   * @returns {boolean} whether undici has not written it
   */
  untouched (row) {
    return this.exchanges[row]?.abort === null
  }

  /**
   * Gives up on one request.
   * @param {number} row
   * @returns {boolean} false over HTTP/1.1: undici closes the connection for that
   */
  cancel (row) {
    if (this.link === null || !this.link.keeps) return false
    this.exchanges[row]?.drop()
    this.exchanges[row] = null
    return true
  }

  /** The peer closed the connection: undici has told what that means. */
  finish () {}

  /** The connection is gone. */
  close () {
    for (const exchange of this.exchanges) exchange?.drop()
    this.exchanges.length = this.news.length = 0
    this.link = null
  }

  /** Nothing more is read. */
  stop () {
    this.close()
  }
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @param {import('../../clock').Clock} now
 * @returns {import('../../load/connection').Protocol} undici for the connections of one thread
 */
function undici ({ pipelining, http, dispatcher }, now) {
  /** @type {WeakMap<Buffer, import('./requests').Dispatch>} */
  const kept = new WeakMap()
  return {
    encode,
    decode: deserialize,
    keep (bytes) {
      kept.set(bytes, parse(bytes))
      return bytes
    },
    joins: false,
    alpn: [http === '2' ? 'h2' : 'http/1.1'],
    /** What a Connection has for a socket. */
    connector: connect => (target, onread, onReady) => {
      const { callback: told, buffer } = /** @type {import('../transport').ReadInto} */ (onread)
      const onNews = () => { told(0, buffer) }
      if (dispatcher !== null) {
        // Loaded by those who have one.
        const shared = /** @type {any} */ (new (require('./shared-link').SharedLink)(dispatcher, target, onNews))
        setImmediate(onReady, shared)
        return shared
      }
      const link = new Link(target, onNews)
      // Until undici listens to it.
      const hear = (/** @type {import('node:net').Socket} */ socket) => {
        for (const event of ['error', 'end', 'close']) socket.on(event, error => { if (!link.handedOver) link.end(error ?? null) })
      }
      const socket = link.socket = connect(target, undefined, ready => {
        if (ready !== socket) hear(link.socket = ready)
        // As undici says it of a socket without TLS.
        if (http === '2' && !target.tls) Object.assign(ready, { alpnProtocol: 'h2' })
        link.open(ready, pipelining)
        onReady(/** @type {any} */ (link))
      })
      hear(socket)
      return /** @type {any} */ (link)
    },
    open: receiver => /** @type {any} */ (new UndiciWire(receiver, kept, now))
  }
}

module.exports = { UndiciWire, undici }
