'use strict'

// A server whose behaviour is known, because it decides it and writes down what it really did. It owns no figure: theory
// is made of its log by the cases.
//
// Forked with its behaviour as JSON, it says its port, and reports its log when it is asked to.

const net = require('node:net')
const { CoreWaits, clock } = require('./core-waits')

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok')
const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * @typedef {object} Behaviour
 * @property {Array<number | null>} [delays] ms, taken in turn by all requests; 0 answers at once, null never
 * @property {boolean} [serial] whether a connection starts on a request when it has answered the one before it
 * @property {{ after: number, length: number | null }} [stall] ms after the first request, for so long or to the end
 * @property {boolean} [log] false to spend nothing on it
 */

/** What happened to each request, by order of arrival. Times are ms on the clock of the machine. */
class Log {
  constructor () {
    this.arrived = new Times()
    this.answered = new Times()
    /** When the client gave up, which closes the connection. */
    this.closed = new Times()
    this.stall = null
    this.waits = new CoreWaits()
  }

  report () {
    const { arrived, answered, closed, stall, waits } = this
    return { arrived: arrived.list(), answered: answered.list(), closed: closed.list(), stall, waits: waits.stop() }
  }
}

/** Numbers by index, NaN where there is none; an array would be copied all the time, and its copies would be pauses. */
class Times {
  constructor () {
    this.values = new Float64Array(1 << 18).fill(NaN)
    this.length = 0
  }

  set (index, at) {
    if (index >= this.values.length) {
      const longer = new Float64Array(2 * this.values.length).fill(NaN)
      longer.set(this.values)
      this.values = longer
    }
    this.values[index] = at
    this.length = Math.max(this.length, index + 1)
  }

  list () {
    return this.values.slice(0, this.length)
  }
}

class Server {
  constructor ({ delays = [0], serial = false, stall, log = true }) {
    this.delays = delays
    this.serial = serial
    this.stall = stall
    this.logs = log
    this.log = new Log()
    this.count = 0
    this.silent = false
    this.connections = 0
    this.onQuiet = () => {}
    this.server = net.createServer({ noDelay: true }, socket => this.accept(socket))
  }

  accept (socket) {
    /** Of the requests that have no answer yet, oldest first. */
    const open = []
    let matched = 0
    this.connections++
    socket.on('error', () => {})
    socket.on('close', () => {
      const at = clock()
      for (const index of open) this.log.closed.set(index, at)
      if (--this.connections === 0) this.onQuiet()
    })
    socket.on('data', chunk => {
      const at = clock()
      // Requests have no bodies here, so the ends of their heads are all there is to see.
      for (const byte of chunk) {
        matched = byte === END_OF_HEAD[matched] ? matched + 1 : byte === END_OF_HEAD[0] ? 1 : 0
        if (matched < END_OF_HEAD.length) continue
        matched = 0
        const index = this.arrive(at)
        if (open.push(index) === 1 || !this.serial) this.serve(socket, open, index)
      }
    })
  }

  /** @returns {number} the index of the request */
  arrive (at) {
    if (this.count === 0 && this.stall !== undefined) setTimeout(() => this.pause(), this.stall.after)
    if (this.logs) this.log.arrived.set(this.count, at)
    return this.count++
  }

  /** The whole process stops, as it does for a collection or a lock; or it goes on reading and never answers. */
  pause () {
    const { length } = /** @type {NonNullable<Behaviour['stall']>} */ (this.stall)
    const from = clock()
    if (length === null) this.silent = true
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, length)
    this.log.stall = { from, to: length === null ? Infinity : clock() }
  }

  serve (socket, open, index) {
    const delay = this.delays[index % this.delays.length]
    if (delay === 0) this.answer(socket, open, index)
    else if (delay !== null) setTimeout(() => this.answer(socket, open, index), delay)
  }

  answer (socket, open, index) {
    if (this.silent || socket.destroyed) return
    if (this.logs) this.log.answered.set(index, clock())
    open.splice(open.indexOf(index), 1)
    socket.write(ANSWER)
    if (this.serial && open.length > 0) this.serve(socket, open, open[0])
  }

  /** @returns {Promise<void>} resolves when the client has gone, or the log would lack the end */
  quiet () {
    return new Promise(resolve => {
      setTimeout(resolve, 1000)
      this.onQuiet = resolve
      if (this.connections === 0) resolve()
    })
  }

  /** @returns {Promise<number>} the port */
  listen () {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(0, '127.0.0.1', () => resolve(/** @type {net.AddressInfo} */ (this.server.address()).port))
    })
  }
}

async function main () {
  const server = new Server(JSON.parse(process.argv[2] ?? '{}'))
  const port = await server.listen()
  process.on('message', async () => {
    await server.quiet()
    process.send?.(server.log.report())
  })
  process.on('disconnect', () => process.exit())
  process.send?.(port)
}

main()
