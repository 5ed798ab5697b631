'use strict'

// A server in a thread of its own, which responds while the thread of the test is blocked.

const { once } = require('node:events')
const { Worker } = require('node:worker_threads')

const SERVER = `
  const { createServer } = require('node:http')
  const server = createServer((request, response) => response.end('hello'))
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`

/**
 * @param {{ teardown: (action: () => unknown) => void }} t
 * @returns {Promise<string>} its URL
 */
async function serverThread (t) {
  const server = new Worker(SERVER, { eval: true })
  t.teardown(() => server.terminate())
  const [port] = await once(server, 'message')
  return `http://127.0.0.1:${port}`
}

module.exports = { serverThread }
