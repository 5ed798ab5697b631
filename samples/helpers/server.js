'use strict'

// The server of the samples, in a thread of its own so that it does not share a core with the client. It takes notes of
// what it gets.

const http = require('node:http')
const { once } = require('node:events')
const { Worker, isMainThread, parentPort } = require('node:worker_threads')

/**
 * Starts the server, hands over its address, and stops it afterwards.
 * @param {(server: { url: string, seen: () => Promise<Array<Seen>> }) => Promise<void>} use
 * @typedef {{ method: string, path: string, headers: Record<string, string>, body: string }} Seen
 */
async function withServer (use) {
  const thread = new Worker(__filename)
  try {
    const [port] = await once(thread, 'message')
    const url = `http://127.0.0.1:${port}`
    await use({ url, seen: async () => (await fetch(`${url}/seen`)).json() })
  } finally {
    await thread.terminate()
  }
}

/** How many requests it remembers. */
const MEMORY = 1000

/** @type {Seen[]} */
const seen = []
/** @type {string[]} what was posted; the first one has the id 1 */
const items = []
/** @type {Record<string, number>} how often a path was asked for, from 1 */
const visits = {}

/** What is special about some paths; all others say hello. Each returns the status and the body. */
const ROUTES = {
  'GET /seen': () => [200, JSON.stringify(seen)],
  'POST /items': ({ body }) => [201, JSON.stringify({ id: items.push(body) })],
  'GET /items/:id': ({ path }) => {
    const item = items[path.split('/').at(-1) - 1]
    return item === undefined ? [404, 'no such item'] : [200, item]
  },
  'POST /orders': (request, visit) => visit % 3 === 0 ? [503, 'sold out'] : [201, 'thank you'],
  'GET /private': ({ headers }) => headers.authorization === undefined ? [401, 'who are you?'] : [200, 'welcome'],
  'GET /unsteady': (request, visit) => [200, visit % 10 === 0 ? 'try later' : 'hello world\n'],
  'GET /stalling': (request, visit) => {
    // A garbage collection, a lock, a slow query: every hundredth request holds up the whole server for a quarter of a second.
    if (visit % 100 === 50) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
    return [200, 'hello world\n']
  }
}

function answer (request, response, body) {
  const { method, url: path, headers } = request
  const route = `${method} ${path.split('?')[0].replace(/\/\d+$/, '/:id')}`
  const got = { method, path, headers, body }
  const visit = visits[route] = (visits[route] ?? 0) + 1
  // A version of the server that stalls at every path.
  const handler = path.endsWith('?stalling') ? ROUTES['GET /stalling'] : ROUTES[route]
  const [status, text] = handler?.(got, visit) ?? [200, 'hello world\n']
  if (seen.length < MEMORY && path !== '/seen') seen.push(got)
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
}

if (!isMainThread) {
  http.createServer((request, response) => {
    if (request.method === 'GET') return answer(request, response, '')
    let body = ''
    request.setEncoding('utf8').on('data', text => { body += text }).on('end', () => answer(request, response, body))
  }).listen(0, '127.0.0.1', function () {
    parentPort.postMessage(this.address().port)
  })
}

module.exports = { withServer }
