'use strict'

// The floor of any client on Node.js: sockets that are read and written again, and nothing else. It believes that each response has the size of the first: it knows no
// HTTP, measures no latency and notices no error. Over the sockets of Node.js, or over native ones with arrival times, as our own client has them.
//
//   node floor.js URL CONNECTIONS PIPELINING SECONDS [native|events]
//
// `events` is that of streams, over native sockets: it finds the empty lines behind events, and nothing else.

const net = require('node:net')
const { now } = require('../../lib/core/clock')
const { load } = require('../../lib/net/sockets/binding')
const { NativeSockets } = require('../../lib/net/sockets/native-sockets')

const LF = 10
const CR = 13

/** Bytes of a read, how many there are, where they begin. @typedef {(buffer: Buffer, length: number, start: number) => void} OnRead */

/** @returns {(where: { host: string, port: number }, onRead: OnRead, onReady: () => void) => { write: (bytes: Buffer) => unknown, destroy: () => void }} */
function overNode () {
  const buffer = Buffer.allocUnsafeSlow(64 * 1024)
  return (where, onRead, onReady) => {
    const callback = (/** @type {number} */ length) => {
      onRead(buffer, length, 0)
      return true
    }
    return net.connect({ ...where, noDelay: true, onread: { buffer, callback } }, onReady)
  }
}

/** @returns {ReturnType<typeof overNode>} */
function overNative () {
  const sockets = new NativeSockets(/** @type {any} */ (load().binding), { clock: { now, real: now, at: ms => ms }, arrivals: true, batches: true })
  return (where, onRead, onReady) => {
    const received = (/** @type {unknown} */ socket, /** @type {number} */ length, /** @type {Buffer} */ buffer, start = 0) => onRead(buffer, length, start)
    return /** @type {any} */ (sockets.connect(where, 250, /** @type {any} */ ({ received }), onReady))
  }
}

/**
 * @param {{ url: string, connections: number }} load
 * @param {ReturnType<typeof overNode>} connect
 * @param {number} requests of each write
 * @param {(write: () => void) => OnRead} reader of a connection
 */
function open ({ url, connections }, connect, requests, reader) {
  const { hostname: host, port } = new URL(url)
  const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`.repeat(requests))
  const sockets = Array.from({ length: connections }, () => {
    const write = () => { socket.write(bytes) }
    const socket = connect({ host, port: Number(port) }, reader(write), write)
    return socket
  })
  return () => sockets.forEach(socket => socket.destroy())
}

/** @returns {{ count: () => number, bytes: () => number, stop: () => void }} `count`: of complete responses */
function startFloor ({ pipelining, native = false, ...load }) {
  let size = 0
  let bytes = 0
  const stop = open(load, native ? overNative() : overNode(), pipelining, write => {
    let sent = pipelining
    let read = 0
    return (buffer, length, start) => {
      if (size === 0) size = buffer.indexOf('hello world\n', start) + 12 - start
      bytes += length
      read += length
      if (read < sent * size) return
      sent += pipelining
      write()
    }
  })
  return { count: () => size === 0 ? 0 : bytes / size, bytes: () => bytes, stop }
}

/** @returns {ReturnType<typeof startFloor>} `count`: of events */
function startEvents (load) {
  let count = 0
  let bytes = 0
  const stop = open(load, overNative(), 1, () => (buffer, length, start) => {
    const end = start + length
    bytes += length
    for (let pos = start + 1; pos < end; pos++) {
      while (pos < end && buffer[pos] > CR) pos++
      if (buffer[pos] === LF && buffer[pos - 1] === LF) count++
    }
  })
  return { count: () => count, bytes: () => bytes, stop }
}

/** @param {NodeJS.CpuUsage} start @returns {number} s that this process has taken since */
function cpuSince (start) {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

if (require.main === module) {
  const [url, connections, pipelining, seconds, kind] = process.argv.slice(2)
  const started = process.cpuUsage()
  const floor = kind === 'events'
    ? startEvents({ url, connections: Number(connections) })
    : startFloor({ url, connections: Number(connections), pipelining: Number(pipelining), native: kind === 'native' })
  setTimeout(() => {
    floor.stop()
    console.log(JSON.stringify({ count: floor.count(), bytes: floor.bytes(), ...(kind === 'events' ? { cpu: cpuSince(started) } : {}) }))
  }, Number(seconds) * 1000)
}

module.exports = { cpuSince, startFloor }
