'use strict'

// Servers over HTTP/1.1 or HTTP/2 that a test gives one function to handle requests of both, and that end with it.

const http = require('node:http')
const http2 = require('node:http2')
const { once } = require('node:events')

/**
 * @param {any} t
 * @param {(request: any, response: any) => void} handle
 * @param {boolean} [isHttp2] in plain text
 * @returns {Promise<string>} its URL, without a slash at the end
 */
async function handlingServer (t, handle, isHttp2 = false) {
  const server = (isHttp2 ? http2.createServer(handle) : http.createServer({ keepAliveTimeout: 0 }, handle)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  /** @type {Set<any>} */
  const sockets = new Set()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${/** @type {any} */ (server.address()).port}`
}

module.exports = { handlingServer }
