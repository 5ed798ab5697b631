'use strict'

// Shows the same load over HTTP/1.1 and over HTTP/2, where `pipelining` (-p) is how many streams a connection has open at once. With
// http:// HTTP/2 is spoken at once, as here; with https:// it is agreed on with the server by ALPN. Run it with
//
//   node samples/http2.js

const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const autocannon = require('..')

const SERVERS = { 1.1: http.createServer(answer), 2: http2.createServer(answer) }

function answer (request, response) {
  setTimeout(() => response.end(request.url), 2)
}

async function measure (version, pipelining) {
  const server = SERVERS[version].listen(0, '127.0.0.1')
  await once(server, 'listening')
  const result = await autocannon({
    url: `http://127.0.0.1:${server.address().port}`,
    http: version,
    connections: 2,
    pipelining,
    amount: 600,
    requests: ['/tea', '/coffee'].map(path => ({ path, name: path, expect: { body: path } }))
  })
  server.close()
  console.log(`HTTP/${result.http}, ${pipelining} at a time on each of 2 connections: ${result['2xx']} responses in ${result.duration} s, p99 ${result.latency.p99} ms`)
  return result
}

async function main () {
  await measure('1.1', 1)
  const { byRequest, failures } = await measure('2', 10)
  console.log(`${Object.entries(byRequest).map(([name, { count }]) => `${count} × ${name}`).join(', ')}, ${failures} wrong responses`)
}

main()
