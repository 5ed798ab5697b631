'use strict'

// A server of WebSocket over HTTP/2 (RFC 8441): node:http2 has the streams, and the package `ws` the frames.

const http2 = require('node:http2')
const { once } = require('node:events')
const { PerMessageDeflate, WebSocket } = require('ws')

/**
 * @param {any} t
 * @param {object} [script]
 * @param {(socket: WebSocket, message: Buffer, isBinary: boolean, n: number) => void} [script.onMessage] an echo when left out
 * @param {(socket: WebSocket, stream: http2.ServerHttp2Stream) => void} [script.onConnection]
 * @param {(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, accept: () => void) => void} [script.handshake] accepts or not
 * @param {Record<string, any>} [script.options] of the server
 * @param {Record<string, unknown>} [script.response] headers beside the status
 */
async function http2WebSocketServer (t, {
  onMessage = (socket, message, binary) => socket.send(message, { binary }),
  onConnection = () => {}, handshake = (_stream, _headers, accept) => accept(), options = {}, response = {}
} = {}) {
  /** @type {{ messages: string[], binary: number, closes: number[], requests: http2.IncomingHttpHeaders[], sessions: number, pongs: number, streams: Set<http2.ServerHttp2Stream> }} */
  const seen = { messages: [], binary: 0, closes: [], requests: [], sessions: 0, pongs: 0, streams: new Set() }
  const { key, cert, settings, ...rest } = options
  const all = { ...rest, settings: { enableConnectProtocol: true, ...settings } }
  const server = key === undefined ? http2.createServer(all) : http2.createSecureServer({ ...all, key, cert })
  /** @type {Set<http2.ServerHttp2Session>} */
  const sessions = new Set()
  server.on('session', session => {
    seen.sessions++
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', () => {})
  })
  server.on('stream', (stream, headers) => {
    seen.requests.push(headers)
    seen.streams.add(stream)
    stream.on('close', () => seen.streams.delete(stream))
    stream.on('error', () => {})
    handshake(stream, headers, () => {
      stream.respond({ ':status': 200, ...response })
      const extension = 'sec-websocket-extensions' in response ? new PerMessageDeflate({ threshold: 0, isServer: true }) : null
      extension?.accept([{ server_no_context_takeover: [true], client_no_context_takeover: [true] }])
      const socket = /** @type {any} */ (new WebSocket(/** @type {any} */ (null), undefined, /** @type {any} */ ({ autoPong: true })))
      socket._isServer = true
      if (extension !== null) socket._extensions['permessage-deflate'] = extension
      // What the package calls on a socket of node:net.
      socket.setSocket(Object.assign(stream, { setNoDelay () {}, setTimeout () {} }), Buffer.alloc(0), { allowSynchronousEvents: true, maxPayload: 2 ** 27, skipUTF8Validation: false })
      socket.on('error', () => {})
      socket.on('pong', () => seen.pongs++)
      socket.on('close', (/** @type {number} */ code) => seen.closes.push(code))
      socket.on('message', (/** @type {Buffer} */ message, /** @type {boolean} */ isBinary) => {
        seen.messages.push(message.toString())
        if (isBinary) seen.binary++
        onMessage(socket, message, isBinary, seen.messages.length - 1)
      })
      onConnection(socket, stream)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  /** Resolves when all streams are closed: what was in flight at the end of a run is read by then. */
  const left = async () => { while (seen.streams.size > 0) await new Promise(resolve => setTimeout(resolve, 5)) }
  return { url: `${key === undefined ? 'ws' : 'wss'}://127.0.0.1:${port}/chat`, port, seen, sessions, left }
}

module.exports = { http2WebSocketServer }
