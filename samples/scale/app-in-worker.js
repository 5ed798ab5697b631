'use strict'

// Shows how to benchmark an app without starting it by hand: this file is both, and the app runs in a worker thread. In one
// thread the client and the app would wait for each other, and each latency would have the client's work in it. Run it with
//
//   node samples/scale/app-in-worker.js

const http = require('node:http')
const { once } = require('node:events')
const { performance } = require('node:perf_hooks')
const { Worker, isMainThread, parentPort } = require('node:worker_threads')
const autocannon = require('../..')

function startApp (ready) {
  const app = http.createServer((request, response) => response.end('hello world\n'))
  app.listen(0, '127.0.0.1', () => ready(app.address().port))

  // These two lines with Fastify:
  //   const app = require('fastify')().get('/', async () => 'hello world\n')
  //   app.listen({ host: '127.0.0.1', port: 0 }, () => ready(app.server.address().port))
  //
  // and with Express:
  //   const app = require('express')().get('/', (request, response) => response.send('hello world\n'))
  //   const server = app.listen(0, '127.0.0.1', () => ready(server.address().port))
}

async function benchmark () {
  const thread = new Worker(__filename)
  const [port] = await once(thread, 'message')
  const threads = { app: thread.performance, client: performance }
  const before = { app: threads.app.eventLoopUtilization(), client: threads.client.eventLoopUtilization() }

  const { requests, duration } = await autocannon({ url: `http://127.0.0.1:${port}`, connections: 10, amount: 5000 })

  console.log(`${requests.total} requests in ${duration} s`)
  // Which of the two was the limit? Below 100 % the app had time left: ask more of it, or the client is what was measured.
  for (const name of ['app', 'client']) {
    const { utilization } = threads[name].eventLoopUtilization(before[name])
    console.log(`the thread of the ${name} was busy for ${Math.round(utilization * 100)} % of that`)
  }
  await thread.terminate()
}

if (isMainThread) benchmark()
else startApp(port => parentPort.postMessage(port))
