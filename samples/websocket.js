'use strict'

// Measures messages over WebSocket that overtake each other: an id in each says which response is that of which message. Then connections that
// only listen, and how old the messages are that they receive. At last, WebSockets that share connections over HTTP/2. Run it with
//
//   node samples/websocket.js

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const autocannon = require('..')

async function start (file) {
  const server = spawn(process.execPath, [path.join(__dirname, 'websocket', file)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { server, base: String((await once(server.stdout, 'data'))[0]).trim() }
}

async function main () {
  const { server, base } = await start('server.js')
  const { requests, latency } = await autocannon({
    url: `${base}/echo`, body: '{"id":{{counter}},"text":"hi"}', match: 'json id', amount: 200, connections: 2, pipelining: 5
  })
  console.log(`${requests.total} messages, p50 ${latency.p50} ms, p99 ${latency.p99} ms`)
  const { websocket, streams } = await autocannon({ url: `${base}/ticker`, receive: true, age: 'json sentAt', connections: 5, duration: 1 })
  console.log(`${streams.events} messages received, gap p50 ${streams.gap.p50} ms, age p50 ${websocket.age.p50} ms`)
  server.kill()

  const { server: shared, base: overHttp2 } = await start('http2-server.js')
  const { requests: { total }, websocket: { opened } } = await autocannon({ url: overHttp2, http: '2', body: 'hello', amount: 200, connections: 2, pipelining: 10 })
  console.log(`${total} messages over ${opened} WebSockets that share 2 connections`)
  shared.kill()
}

main()
