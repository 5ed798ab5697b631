'use strict'

// A small server that answers as told and remembers every request that it got. It speaks HTTP/1.1 (node:http) and, to a
// connection that begins with its preface, HTTP/2 (node:http2): what a test asks of it is the same for both.

const { randomInt } = require('node:crypto')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const { once } = require('node:events')
const { setTimeout: sleep } = require('node:timers/promises')

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** The socket below each session of HTTP/2, which shows only a part of it. @type {WeakMap<http2.Http2Session, net.Socket>} */
const sessions = new WeakMap()

/**
 * @param {http2.Http2ServerRequest} request
 * @returns the same as node:http would show it: its pseudo-headers are none, and :authority is Host (RFC 9113 §8.3.1)
 */
function alike (request) {
  /** @type {string[]} */
  const rawHeaders = []
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const [name, value] = request.rawHeaders.slice(i, i + 2)
    if (name === ':authority') rawHeaders.push('host', value)
    else if (!name.startsWith(':')) rawHeaders.push(name, value)
  }
  const session = /** @type {http2.Http2Session} */ (request.stream.session)
  return Object.defineProperties(request, {
    rawHeaders: { value: rawHeaders },
    headers: { value: { host: request.authority, ...request.headers } },
    socket: { value: sessions.get(session) }
  })
}

/** Requests that are answered at once, and ms for each of the others: a run for a time, as fast as it can, would take a core until it ends. */
const [AT_ONCE, PAUSE] = [300, 2]

/**
 * @typedef {object} Got
 * @property {string} method
 * @property {string} url
 * @property {string[]} rawHeaders names and values in turn, as they came
 * @property {string} body
 * @property {import('node:net').Socket} socket
 */

/**
 * Closes itself at the end of the test.
 * @param {{ teardown: (fn: () => unknown) => void }} t
 * @param {(request: http.IncomingMessage, response: http.ServerResponse) => void} [answer] `ok` with 200 when left out
 * @param {string | number} [where] a port of 127.0.0.1, or the path of a Unix socket
 */
async function serve (t, answer = (request, response) => response.end('ok'), where = 0) {
  /** @type {Got[]} */
  const requests = []
  let count = 0
  const open = new Set()
  const sockets = new Set()
  const take = async (/** @type {any} */ request, /** @type {any} */ response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url = '', rawHeaders, socket } = request
    requests.push({ method, url, rawHeaders, body, socket })
    if (++count > AT_ONCE) {
      await sleep(PAUSE)
      if (socket.destroyed || response.stream?.destroyed) return
    }
    answer(request, response)
  }
  // A process that waits for the CPU must not find its connections closed: a POST on such a connection fails.
  const wires = { http1: http.createServer({ keepAliveTimeout: 0 }, take), http2: http2.createServer() }
  wires.http2.on('request', (request, response) => take(alike(request), response))
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, socket => {
    sockets.add(socket)
    socket.once('close', () => open.delete(socket))
    open.add(socket)
    socket.on('error', () => {})
    socket.once('data', bytes => {
      socket.pause()
      socket.unshift(bytes)
      if (bytes.subarray(0, PREFACE.length).equals(PREFACE)) {
        wires.http2.once('session', session => sessions.set(session, socket))
        wires.http2.emit('connection', socket)
      } else {
        wires.http1.emit('connection', socket)
        socket.resume()
      }
    })
  })
  if (typeof where === 'string') server.listen(where)
  else server.listen(where, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => new Promise(resolve => {
    server.close(resolve)
    for (const socket of open) socket.destroy()
  }))
  const port = typeof where === 'string' ? 0 : /** @type {import('node:net').AddressInfo} */ (server.address()).port
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    /** How many connections were opened. */
    get connections () { return sockets.size }
  }
}

/**
 * @param {Got} request
 * @param {string} name
 * @returns {string[]} the values of a header, each as it came
 */
function valuesOf ({ rawHeaders }, name) {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name.toLowerCase())
}

/** Systems give ports of 32768 and above to outgoing connections (Linux; others: 49152), and would give them a closed one of those. */
const CLOSED_PORTS = { first: 10_000, count: 20_000 }

/**
 * @returns {Promise<number>} a port of 127.0.0.1 without a listener, and that no connection gets
 */
async function closedPort () {
  for (;;) {
    const port = CLOSED_PORTS.first + randomInt(CLOSED_PORTS.count)
    const server = http.createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(() => true, () => false)
    if (!isFree) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

/**
 * Answers after a moment: a closed loop against a server that answers at once takes a core for as long as it lasts.
 * @param {any} request
 * @param {{ end: (text: string) => unknown }} response
 */
const calm = (request, response) => { setTimeout(() => response.end('ok'), 3) }

module.exports = { calm, serve, valuesOf, closedPort }
