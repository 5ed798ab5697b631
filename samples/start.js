'use strict'

// Starts a small server, benchmarks it for five seconds and prints the tables: what `npm start` does. Run it with
//
//   node samples/start.js

const http = require('node:http')
const { Worker, isMainThread, parentPort } = require('node:worker_threads')
const autocannon = require('..')

if (isMainThread) {
  // The server has a thread of its own, so that it does not share a core with the client.
  const server = new Worker(__filename)
  server.once('message', async port => {
    const instance = autocannon({ url: `http://127.0.0.1:${port}`, connections: 100, duration: 5 })
    process.once('SIGINT', () => instance.stop())
    autocannon.track(instance)
    await instance
    await server.terminate()
  })
} else {
  http.createServer((request, response) => {
    response.setHeader('content-type', 'text/plain')
    response.end('hello world\n')
  }).listen(0, '127.0.0.1', function () {
    parentPort.postMessage(this.address().port)
  })
}
