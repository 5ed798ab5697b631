'use strict'

// Owns a small node:http server that answers as told and remembers every request that it got.

const http = require('node:http')
const { once } = require('node:events')

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
  const sockets = new Set()
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url = '', rawHeaders, socket } = request
    requests.push({ method, url, rawHeaders, body, socket })
    answer(request, response)
  })
  server.on('connection', socket => sockets.add(socket))
  if (typeof where === 'string') server.listen(where)
  else server.listen(where, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => new Promise(resolve => {
    server.close(resolve)
    server.closeAllConnections()
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

/**
 * @returns {Promise<number>} a port of 127.0.0.1 that nobody listens on
 */
async function closedPort () {
  const server = http.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  await new Promise(resolve => server.close(resolve))
  return port
}

module.exports = { serve, valuesOf, closedPort }
