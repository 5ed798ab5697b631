'use strict'

// A node:http server that responds after a timer of DELAY ms. Its sockets are native ones, so that it knows when the kernel received each request: how long a
// request waits until a busy server reads it is part of the latency that a client sees. It logs how long each response took: at SIGTERM it prints two lines of JSON
// with p50, p99 and p99.9 in ms, from the event of the request, as any server could log it, and from the arrival of the request.
//
//   node node-server.js PORT DELAY

const http = require('node:http')
const net = require('node:net')
const { Duplex } = require('node:stream')
const { now } = require('../../lib/core/clock')
const { load } = require('../../lib/net/sockets/binding')
const { NativeSockets } = require('../../lib/net/sockets/native-sockets')

const SHARES = { p50: 0.5, p99: 0.99, p99_9: 0.999 }

const [port, delay] = process.argv.slice(2).map(Number)
const sockets = new NativeSockets(/** @type {any} */ (load().binding), { clock: { now, real: now, at: ms => ms }, arrivals: true, batches: false })

/** ms from the event of each request, and from its arrival. @type {{ event: number[], arrival: number[] }} */
const took = { event: [], arrival: [] }

/** A socket for node:http. */
class Connection extends Duplex {
  /** @param {net.Socket} socket that the server has accepted */
  constructor (socket) {
    super()
    this.arrivedAt = 0
    this.native = /** @type {import('../../lib/net/sockets/native-socket').NativeSocket} */ (sockets.adopt(socket, this))
  }

  // The listener of the socket.

  /** @type {import('../../lib/net/sockets/native-socket').Listener['received']} */
  received (socket, size, buffer, start, arrival = now()) {
    this.arrivedAt = arrival
    this.push(Buffer.from(buffer.subarray(start, start + size)))
  }

  drained () {}
  filled () {}

  lost () {
    this.destroy()
  }

  _read () {}

  /** @type {Duplex['_write']} */
  _write (bytes, encoding, callback) {
    this.native.write(bytes)
    callback()
  }

  /** @type {Duplex['_destroy']} */
  _destroy (error, callback) {
    this.native.destroy()
    callback(error)
  }
}

const server = http.createServer((request, response) => {
  const begun = now()
  const { arrivedAt } = /** @type {Connection} */ (/** @type {unknown} */ (request.socket))
  setTimeout(() => {
    // The tool has ended: this response is none of its latencies.
    if (request.socket.destroyed) return
    response.end('hi')
    const at = now()
    took.event.push(at - begun)
    took.arrival.push(at - arrivedAt)
  }, delay)
})
net.createServer({ pauseOnConnect: true, noDelay: true }, socket => server.emit('connection', new Connection(socket)))
  .listen(port, '127.0.0.1', 1024, () => console.log('listening'))

process.on('SIGTERM', () => {
  for (const times of [took.event, took.arrival]) {
    times.sort((a, b) => a - b)
    console.log(JSON.stringify(Object.fromEntries(Object.entries(SHARES).map(([name, share]) => [name, times[Math.ceil(times.length * share) - 1]]))))
  }
  process.exit()
})
