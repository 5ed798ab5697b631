'use strict'

// Owns one connection to the server over its whole life, reconnects included: keeps the pipeline full, matches answers to
// requests, and settles every request exactly once when the connection ends.
//
// Paid per request: one entry in the ring, one look at the head, one histogram value. A read that completes k responses
// leads to one write of k requests.

const { ConnectionError } = require('../errors')
const { InFlight } = require('./in-flight')
const { ResponseParser, BODY, NO_BODY, UNREQUESTED, TUNNEL } = require('./response-parser')

const WAITING = 0
const CONNECTING = 1
const OPEN = 2
const ENDED = 3

/** The first pause before a reconnect after a connection that brought nothing, in ms; it doubles up to the last. */
const FIRST_PAUSE = 10
const LAST_PAUSE = 200

/**
 * What a connection needs of the thread it runs in.
 * @typedef {object} Surroundings
 * @property {import('../clock').Clock} now
 * @property {typeof import('./transport').connect} connect
 * @property {Buffer} readBuffer shared by all connections of the thread
 * @property {import('./response-parser').HeadMemo} memo shared likewise
 * @property {import('../stats/recorder').Recorder} recorder
 * @property {Observer} observer
 * @property {number} pipelining
 * @property {number} timeout ms
 * @property {(connection: Connection) => void} onEnd called once, when the connection has nothing left to do
 */

/**
 * Who wants to know of single requests. A function is null while nobody listens.
 * @typedef {object} Observer
 * @property {((connection: Connection, status: number, size: number, ms: number) => void) | null} response
 * @property {((error: Error & { code?: string }) => void) | null} requestError
 */

class Connection {
  /**
   * @param {Surroundings} around
   * @param {import('../request/target').Target} target
   * @param {import('../request/sequence').Sequence} sequence
   * @param {import('../load/budget').Budget} budget
   */
  constructor (around, target, sequence, budget) {
    this.around = around
    this.now = around.now
    this.recorder = around.recorder
    this.observer = around.observer
    this.target = target
    this.sequence = sequence
    this.budget = budget
    this.inFlight = new InFlight(around.pipelining)
    this.parser = new ResponseParser(this, around.memo)
    this.wantsBody = false
    this.state = WAITING
    /** @type {import('node:net').Socket | null} */
    this.socket = null
    this.blocked = false
    this.status = 0
    this.readAt = 0
    this.connectingSince = 0
    this.answers = 0
    this.pause = 0
    /** @type {NodeJS.Timeout | null} */
    this.pauseTimer = null
  }

  /** Connects, and sends as soon as that is done. */
  open () {
    this.state = CONNECTING
    this.connectingSince = this.now()
    this.answers = 0
    this.blocked = false
    const onread = {
      buffer: this.around.readBuffer,
      /** @param {number} size */
      callback: size => {
        if (this.socket === socket) this.read(size)
        return true
      }
    }
    const socket = this.around.connect(this.target, onread, () => {
      if (this.socket !== socket) return
      this.state = OPEN
      this.fill()
    })
    this.socket = socket
    socket.on('drain', () => {
      if (this.socket !== socket) return
      this.blocked = false
      this.fill()
    })
    socket.on('error', error => { if (this.socket === socket) this.settle(error) })
    socket.on('end', () => { if (this.socket === socket) this.settle(null) })
    socket.on('close', () => { if (this.socket === socket) this.settle(null) })
  }

  /**
   * Bytes have arrived in the shared buffer.
   * @param {number} size
   */
  read (size) {
    this.readAt = this.now()
    this.recorder.bytes += size
    const parser = this.parser
    parser.execute(this.around.readBuffer, size)
    // A listener may have stopped the run meanwhile.
    if (this.state !== OPEN) return
    if (parser.stopped) this.settle(parser.error)
    else this.fill()
  }

  /** Sends as many requests as the pipeline and the budget have room for, in as few writes as possible. */
  fill () {
    if (this.state !== OPEN) return
    const { inFlight, sequence } = this
    const socket = /** @type {import('node:net').Socket} */ (this.socket)
    let room = inFlight.capacity - inFlight.count
    while (room > 0 && !this.blocked) {
      const n = this.budget.take(room < sequence.maxRun ? room : sequence.maxRun)
      if (n === 0) break
      const bytes = sequence.next(n)
      inFlight.push(this.now(), n)
      this.recorder.sent += n
      this.blocked = !socket.write(bytes)
      room -= n
    }
    if (inFlight.count === 0 && this.budget.left === 0) this.end()
  }

  // The handler of the parser.

  /** @param {number} status */
  onHead (status) {
    if (this.inFlight.count === 0) return UNREQUESTED
    this.status = status
    const method = this.sequence.answeringMethod()
    if (method === 'GET') return BODY
    return method === 'HEAD' ? NO_BODY : method === 'CONNECT' ? TUNNEL : BODY
  }

  onBody () {}

  /** @param {number} size */
  onComplete (size) {
    const ms = this.readAt - this.inFlight.shift()
    this.sequence.answered()
    this.answers++
    this.recorder.complete(this.status, ms)
    if (this.observer.response !== null) this.observer.response(this, this.status, size, ms)
  }

  /**
   * Gives up on a connection or a request that takes longer than the timeout.
   * @param {number} at the time now
   */
  checkDeadline (at) {
    const { timeout } = this.around
    if (this.state === CONNECTING) {
      if (at - this.connectingSince >= timeout) this.settle(new ConnectionError('AC_CONNECT_TIMEOUT'))
    } else if (this.inFlight.count > 0 && at - this.inFlight.peek() >= timeout) {
      this.settle(new ConnectionError('AC_TIMEOUT'))
    }
  }

  /**
   * The one place where a connection ends while there is work: every request in flight gets its fate, then the next
   * connection is opened.
   * @param {Error & { code?: string } | null} error null after an orderly end
   */
  settle (error) {
    const connected = this.state === OPEN
    this.state = WAITING
    this.release()
    if (connected) {
      this.readAt = this.now()
      if (error === null) this.parser.finish()
      if (this.inFlight.count > 0) this.settleInFlight(error)
    } else {
      // Nothing was sent, so there is no fate: the attempt uses up what it would have sent, or a run by amount against a
      // dead server would never end.
      this.recorder.neverSent(error ?? new ConnectionError('AC_CLOSED'), this.budget.take(this.inFlight.capacity), this.observer)
    }
    this.parser.reset()
    this.sequence.drop()
    if (this.ended) return
    if (this.budget.left === 0) return this.end()
    if (this.answers > 0) {
      this.pause = 0
      this.open()
    } else {
      this.pause = Math.min(Math.max(FIRST_PAUSE, this.pause * 2), LAST_PAUSE)
      this.pauseTimer = setTimeout(() => this.open(), this.pause)
    }
  }

  /**
   * The oldest request in flight fails for what happened to the connection; those behind it, because there is none any
   * more. A server does not process what was pipelined behind its last answer (RFC 9112 §9.6).
   * @param {Error & { code?: string } | null} error
   */
  settleInFlight (error) {
    const { inFlight, recorder, observer, around } = this
    const at = this.now()
    const first = error ?? new ConnectionError(this.parser.inside ? 'AC_TRUNCATED' : 'AC_CLOSED')
    const timeout = first.code === 'AC_TIMEOUT'
    const behind = timeout ? new ConnectionError('AC_BEHIND_TIMEOUT') : error ?? new ConnectionError('AC_CLOSED')
    for (let request = first; inFlight.count > 0; request = behind) {
      const age = at - inFlight.shift()
      if (timeout && age >= around.timeout) recorder.timeOut(first, age, observer)
      else recorder.fail(request, observer)
    }
  }

  /** The run is over: what is in flight is given up. */
  abandon () {
    if (this.ended) return
    this.recorder.abandoned += this.inFlight.count
    while (this.inFlight.count > 0) this.inFlight.shift()
    this.end()
  }

  /** @returns {boolean} whether this connection has nothing left to do */
  get ended () {
    return this.state === ENDED
  }

  /** Nothing is left to do. */
  end () {
    this.state = ENDED
    this.release()
    if (this.pauseTimer !== null) clearTimeout(this.pauseTimer)
    this.parser.stop()
    this.around.onEnd(this)
  }

  /** Lets go of the socket: none of its events reaches this connection any more. */
  release () {
    const socket = this.socket
    this.socket = null
    if (socket !== null) socket.destroy()
  }
}

module.exports = { Connection }
