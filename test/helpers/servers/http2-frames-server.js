'use strict'

// A server that reads HTTP/2 frames from sockets and writes the exact bytes that a test chooses, valid or not.

const net = require('node:net')
const { once } = require('node:events')
const { frame } = require('./http2-server')

const PREFACE_SIZE = 24
const DATA = 0
const HEADERS = 1
const SETTINGS = 4
const ACK = 1

/** SETTINGS, and the acknowledgement of the client's: without it nghttp2 accepts frames that the client's settings forbid. */
const GREETING = Buffer.concat([frame(SETTINGS, 0, 0), frame(SETTINGS, ACK, 0)])

/**
 * @typedef {object} FramesConnection
 * @property {number} index of the connection, from 0
 * @property {net.Socket} socket
 * @property {number} requests received so far
 */

/**
 * @param {import('tap').Test} t
 * @param {(connection: FramesConnection, id: number) => void} respond called for each request, with its stream
 * @param {(connection: FramesConnection) => void} [greet]
 * @param {(connection: FramesConnection, id: number, payload: Buffer, flags: number) => void} [take] called for each frame of DATA
 */
async function http2FramesServer (t, respond, greet = ({ socket }) => { socket.write(GREETING) }, take = () => {}) {
  /** @type {FramesConnection[]} */
  const connections = []
  const server = net.createServer(socket => {
    const connection = { index: connections.length, socket, requests: 0 }
    connections.push(connection)
    let rest = Buffer.alloc(0)
    let skip = PREFACE_SIZE
    socket.on('error', () => {})
    socket.on('data', bytes => {
      const skipped = Math.min(skip, bytes.length)
      skip -= skipped
      rest = Buffer.concat([rest, bytes.subarray(skipped)])
      while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
        const [type, flags, id] = [rest[3], rest[4], rest.readUInt32BE(5)]
        const payload = rest.subarray(9, 9 + rest.readUIntBE(0, 3))
        rest = rest.subarray(9 + payload.length)
        if (type === DATA) take(connection, id, payload, flags)
        if (type !== HEADERS) continue
        connection.requests++
        if (socket.writable) respond(connection, id)
      }
    })
    greet(connection)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const { socket } of connections) socket.destroy()
    server.close()
  }
  t.teardown(close)
  return { connections, close, url: `http://127.0.0.1:${/** @type {net.AddressInfo} */ (server.address()).port}/` }
}

module.exports = { GREETING, http2FramesServer }
