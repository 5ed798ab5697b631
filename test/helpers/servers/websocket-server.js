'use strict'

// WebSocket servers: one of the package `ws`, which does as it should, and one that answers the handshake and sends
// exactly the bytes that a test wants.

const net = require('node:net')
const { createHash } = require('node:crypto')
const { once } = require('node:events')
const { WebSocketServer } = require('ws')

/**
 * @param {any} t
 * @param {(socket: import('ws').WebSocket, message: Buffer, isBinary: boolean, n: number) => void} [onMessage] an echo when left out
 * @param {Record<string, any>} [options] of the package
 * @param {(socket: import('ws').WebSocket, request: import('node:http').IncomingMessage) => void} [onConnection]
 */
async function webSocketServer (t, onMessage = (socket, message, binary) => socket.send(message, { binary }), options = {}, onConnection = () => {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false, ...options })
  /** @type {{ messages: string[], binary: number, closes: number[], requests: import('node:http').IncomingMessage[], pongs: number }} */
  const seen = { messages: [], binary: 0, closes: [], requests: [], pongs: 0 }
  server.on('connection', (socket, request) => {
    seen.requests.push(request)
    socket.on('error', () => {})
    socket.on('pong', () => seen.pongs++)
    socket.on('close', code => seen.closes.push(code))
    socket.on('message', (/** @type {Buffer} */ message, isBinary) => {
      seen.messages.push(message.toString())
      if (isBinary) seen.binary++
      onMessage(socket, message, isBinary, seen.messages.length - 1)
    })
    onConnection(socket, request)
  })
  if (options.server === undefined) await once(server, 'listening')
  t.teardown(() => {
    for (const client of server.clients) client.terminate()
    return new Promise(resolve => server.close(() => resolve(undefined)))
  })
  const { port } = /** @type {net.AddressInfo} */ ((options.server ?? server).address())
  /** Resolves when all connections are closed: what was in flight at the end of a run is read by then. */
  const left = async () => { while (server.clients.size > 0) await new Promise(resolve => setTimeout(resolve, 5)) }
  return { url: `ws://127.0.0.1:${port}/`, port, seen, server, left }
}

/** Returns what accepts the key of a handshake (RFC 6455 §4.2.2). @type {(key: string) => string} */
const acceptOf = key => createHash('sha1').update(key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')

/** @type {(request: string, headers?: string) => string} */
const accepted = (request, headers = '') => {
  const [, key] = /^sec-websocket-key: *(\S+)/im.exec(request) ?? []
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n${headers}\r\n`
}

/**
 * @param {any} t
 * @param {object} script
 * @param {(request: string, socket: net.Socket) => string | Buffer | null} [script.handshake] what responds to the handshake
 * @param {(socket: net.Socket, bytes: Buffer, n: number) => void} [script.frames] called for each read behind the handshake
 * @param {(socket: net.Socket) => void} [script.opened] behind the response
 */
async function rawWebSocketServer (t, { handshake = request => accepted(request), frames = () => {}, opened = () => {} }) {
  const seen = { connections: 0, reads: 0 }
  /** @type {Set<net.Socket>} */
  const sockets = new Set()
  const server = net.createServer(socket => {
    seen.connections++
    sockets.add(socket)
    socket.setNoDelay()
    let head = ''
    let isOpen = false
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', chunk => {
      if (isOpen) return frames(socket, chunk, seen.reads++)
      head += chunk.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      isOpen = true
      const response = handshake(head, socket)
      if (response !== null) socket.write(response)
      opened(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  return { url: `ws://127.0.0.1:${port}/`, seen }
}

/** Returns a frame of a server. @type {(payload: string | Buffer, first?: number) => Buffer} */
function frame (payload, first = 0x81) {
  const bytes = Buffer.from(payload)
  if (bytes.length < 126) return Buffer.concat([Buffer.of(first, bytes.length), bytes])
  return Buffer.concat([Buffer.of(first, 126, bytes.length >> 8, bytes.length & 255), bytes])
}

module.exports = { accepted, acceptOf, frame, rawWebSocketServer, webSocketServer }
