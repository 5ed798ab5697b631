'use strict'

// A server whose behaviour is known, because it decides it and writes down what it really did. It owns no figure: theory
// is made of its log by the cases.
//
// It reports its log when it is asked to.

const net = require('node:net')
const { sharedNow } = require('../../lib/core/clock')
const { CoreWaits } = require('./core-waits')
const { behaviour, headCounter, serve } = require('../served')

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok')

/** How many requests a log has room for. */
const MOST = 1 << 18

/**
 * @typedef {object} Behaviour
 * @property {Array<number | null>} [delays] ms, taken in turn by all requests; 0 answers at once, null never
 * @property {boolean} [serial] whether a connection starts on a request when it has answered the one before it
 * @property {{ after: number, length: number | null }} [stall] ms after the first request, for so long or to the end
 * @property {boolean} [log] false to spend nothing on it
 */

class Server {
  constructor ({ delays = [0], serial = false, stall, log = true }) {
    this.delays = delays
    this.serial = serial
    this.stall = stall
    this.logs = log
    /** What happened to each request, by order of arrival; NaN for what did not. Times are ms on the clock of the machine. */
    this.arrived = new Float64Array(MOST).fill(NaN)
    this.answered = this.arrived.slice()
    /** When the client gave up, which closes the connection. */
    this.closed = this.arrived.slice()
    this.stalled = null
    this.waits = new CoreWaits()
    this.count = 0
    this.silent = false
    this.connections = 0
    this.onQuiet = () => {}
    this.server = net.createServer({ noDelay: true }, socket => this.accept(socket))
  }

  accept (socket) {
    /** Of the requests that have no answer yet, oldest first. */
    const open = []
    const heads = headCounter()
    this.connections++
    socket.on('error', () => {})
    socket.on('close', () => {
      const at = sharedNow()
      for (const index of open) this.closed[index] = at
      if (--this.connections === 0) this.onQuiet()
    })
    socket.on('data', chunk => {
      const at = sharedNow()
      for (let left = heads(chunk); left > 0; left--) {
        const index = this.arrive(at)
        if (open.push(index) === 1 || !this.serial) this.answerLater(socket, open, index)
      }
    })
  }

  /** @returns {number} the index of the request */
  arrive (at) {
    if (this.count === 0 && this.stall !== undefined) setTimeout(() => this.pause(), this.stall.after)
    if (this.logs) this.arrived[this.count] = at
    return this.count++
  }

  /** The whole process stops, as it does for a collection or a lock; or it goes on reading and never answers. */
  pause () {
    const { length } = /** @type {NonNullable<Behaviour['stall']>} */ (this.stall)
    const from = sharedNow()
    if (length === null) this.silent = true
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, length)
    this.stalled = { from, to: length === null ? Infinity : sharedNow() }
  }

  answerLater (socket, open, index) {
    const delay = this.delays[index % this.delays.length]
    if (delay === 0) this.answer(socket, open, index)
    else if (delay !== null) setTimeout(() => this.answer(socket, open, index), delay)
  }

  answer (socket, open, index) {
    if (this.silent || socket.destroyed) return
    if (this.logs) this.answered[index] = sharedNow()
    open.splice(open.indexOf(index), 1)
    socket.write(ANSWER)
    if (this.serial && open.length > 0) this.answerLater(socket, open, open[0])
  }

  /** @returns {Promise<void>} resolves when the client has gone, or the log would lack the end */
  quiet () {
    return new Promise(resolve => {
      setTimeout(resolve, 1000)
      this.onQuiet = resolve
      if (this.connections === 0) resolve()
    })
  }

  async report () {
    await this.quiet()
    if (this.logs && this.count > MOST) throw new Error(`there is room for ${MOST} requests`)
    const [arrived, answered, closed] = [this.arrived, this.answered, this.closed].map(times => times.slice(0, this.count))
    return { arrived, answered, closed, stall: this.stalled, waits: this.waits.stop() }
  }
}

const server = new Server(behaviour())
serve(server.server, () => server.report())
