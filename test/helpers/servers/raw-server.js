'use strict'

// A server that says exactly the bytes that a test wants, in the pieces it wants. It cuts what arrives into requests
// (by the end of the head and Content-Length) and remembers all of it; whether it makes sense is for the test to say.

const net = require('node:net')
const tls = require('node:tls')
const { setImmediate: turn } = require('node:timers/promises')

/**
 * @typedef {object} RawRequest
 * @property {number} index on its connection, from 0
 * @property {string} head with the empty line
 * @property {Buffer} body
 */

/**
 * What a connection does with a request: a function of both, or the bytes that answer each.
 * @typedef {((connection: RawConnection, request: RawRequest) => void) | string | Buffer} Script
 */

/**
 * @param {string} [body]
 * @param {string} [headers] whole lines, each with its CRLF
 * @returns {string} an answer that leaves the connection open
 */
const answer = (body = '', headers = '') => `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

class RawConnection {
  /**
   * @param {net.Socket} socket
   * @param {number} index
   * @param {Script} script
   * @param {RawServer} server
   */
  constructor (socket, index, script, server) {
    this.socket = socket
    this.index = index
    this.script = script
    this.server = server
    /** @type {RawRequest[]} */
    this.requests = []
    /** How many requests each read completed. @type {number[]} */
    this.reads = []
    /** Every byte that arrived. @type {Buffer[]} */
    this.chunks = []
    this.rest = Buffer.alloc(0)
    /** What is still to be done, in order. */
    this.work = Promise.resolve()
    socket.on('data', chunk => this.read(chunk))
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
  }

  /** @param {Buffer} chunk */
  read (chunk) {
    this.chunks.push(chunk)
    this.rest = Buffer.concat([this.rest, chunk])
    const before = this.requests.length
    for (let request = this.cut(); request !== null; request = this.cut()) this.requests.push(request)
    const arrived = this.requests.slice(before)
    this.reads.push(arrived.length)
    for (const request of arrived) {
      if (typeof this.script === 'function') this.script(this, request)
      else this.send(this.script)
      this.server.count()
    }
  }

  /** @returns {RawRequest | null} the next request, null when it is not whole */
  cut () {
    const bodyStart = this.rest.indexOf('\r\n\r\n') + 4
    if (bodyStart === 3) return null
    const head = this.rest.toString('latin1', 0, bodyStart)
    const end = bodyStart + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    if (this.rest.length < end) return null
    const body = this.rest.subarray(bodyStart, end)
    this.rest = this.rest.subarray(end)
    return { index: this.requests.length, head, body }
  }

  /**
   * Writes each part on its own, and waits until a client of this process has had the time to read it.
   * @param {...(string | Buffer)} parts
   */
  send (...parts) {
    for (const part of parts) {
      this.afterwards(async () => {
        if (this.socket.writable) this.socket.write(part)
        // Two, because the first turn may belong to the same iteration of the loop, with no poll in between.
        await turn()
        await turn()
      })
    }
    return this
  }

  /** Ends this side of the connection (FIN), once all is sent. */
  end () {
    return this.afterwards(() => this.socket.end())
  }

  /** Breaks the connection (RST), once all is sent. */
  reset () {
    return this.afterwards(() => {
      // After a FIN, Node.js 20 never closes what is reset, and the process spins at its end.
      if (this.socket.writableEnded) return this.socket.destroy()
      if (this.server.secure) return this.rawSocket.resetAndDestroy()
      // Not resetAndDestroy(): that sends a FIN first, and which of the two a client sees is a race.
      this.socket.resetAndClosing = true
      this.socket.destroy()
    })
  }

  /** Ends the connection below TLS, without close_notify, once all is sent. */
  truncate () {
    return this.afterwards(() => this.rawSocket.end())
  }

  /** @returns {net.Socket} the one below TLS */
  get rawSocket () {
    const { sockets } = this.server
    return [...sockets].find(({ remotePort }) => remotePort === this.socket.remotePort) ?? this.socket
  }

  /** @param {() => unknown} action */
  afterwards (action) {
    this.work = this.work.then(action).then(() => {})
    return this
  }

  /** @returns {Buffer} */
  get received () {
    return Buffer.concat(this.chunks)
  }
}

class RawServer {
  /**
   * @param {Script | Script[]} script for every connection, or one for each, the last for all that follow
   * @param {{ path?: string, host?: string, port?: number, tls?: tls.TlsOptions, onConnection?: (connection: RawConnection) => void }} options
   */
  constructor (script, { path, host = '127.0.0.1', port = 0, tls: secure, onConnection }) {
    const scripts = [script].flat()
    /** @type {RawConnection[]} */
    this.connections = []
    this.requestCount = 0
    /** @type {Array<{ n: number, resolve: () => void }>} */
    this.waiting = []
    this.path = path
    this.where = path === undefined ? { host, port } : { path }
    this.secure = secure !== undefined
    /** @type {Set<net.Socket>} */
    this.sockets = new Set()
    const accept = (/** @type {net.Socket} */ socket) => {
      socket.setNoDelay()
      const index = this.connections.length
      const connection = new RawConnection(socket, index, scripts[Math.min(index, scripts.length - 1)], this)
      this.connections.push(connection)
      onConnection?.(connection)
    }
    // Half-open, so that what a client sends after our FIN is read and does not turn into an RST.
    this.server = secure === undefined
      ? net.createServer({ allowHalfOpen: true }, accept)
      : tls.createServer({ allowHalfOpen: true, ...secure }, accept)
    this.server.on('connection', socket => {
      this.sockets.add(socket)
      socket.on('close', () => this.sockets.delete(socket))
    })
    this.server.on('tlsClientError', () => {})
  }

  /** @returns {string} */
  get url () {
    const address = /** @type {net.AddressInfo} */ (this.server.address())
    return `${this.secure ? 'https' : 'http'}://${this.path === undefined ? `${address.address}:${address.port}` : 'localhost'}/`
  }

  /** @returns {RawRequest[]} of all connections */
  get requests () {
    return this.connections.flatMap(({ requests }) => requests)
  }

  /**
   * @param {number} n
   * @returns {Promise<void>} resolves once n requests have arrived in all
   */
  seen (n) {
    return new Promise(resolve => {
      this.waiting.push({ n, resolve })
      this.wake()
    })
  }

  count () {
    this.requestCount++
    this.wake()
  }

  wake () {
    for (const { n, resolve } of this.waiting) {
      if (this.requestCount >= n) resolve()
    }
  }

  /** @returns {Promise<void>} */
  listen () {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(this.where, () => resolve())
    })
  }

  /** @returns {Promise<void>} */
  close () {
    for (const socket of this.sockets) socket.destroy()
    return new Promise(resolve => this.server.close(() => resolve()))
  }
}

/**
 * Starts a server that is closed when the test ends.
 * @param {{ teardown: (close: () => unknown) => void }} t
 * @param {Script | Script[]} script
 * @param {ConstructorParameters<typeof RawServer>[1]} [options]
 */
async function rawServer (t, script, options = {}) {
  const server = new RawServer(script, options)
  await server.listen()
  t.teardown(() => server.close())
  return server
}

module.exports = { rawServer, answer }
