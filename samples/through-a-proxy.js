'use strict'

// Shows what a proxy adds: the same run without one, through a tunnel to another name, and what a proxy says that refuses. Run it with
//
//   node samples/through-a-proxy.js

const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const autocannon = require('..')
const { withServer } = require('./helpers/server')

/** A proxy for tunnels of its own machine, which wants a user and a password. */
const proxy = http.createServer().on('connect', ({ url, headers }, socket) => {
  if (headers['proxy-authorization'] !== `Basic ${btoa('me:secret')}`) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  const { port } = new URL(`http://${url}`)
  const server = net.connect(Number(port), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    server.pipe(socket).pipe(server)
  })
  for (const one of [server, socket]) one.on('error', () => {}).on('close', () => [server, socket].forEach(other => other.destroy()))
})

withServer(async ({ url }) => {
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address()
  const run = async (what, opts) => {
    const result = await autocannon({ url, connections: 5, amount: 1000, ...opts })
    console.log(`${what}: ${result['2xx']} responses, p50 ${result.latency.p50} ms, connected in ${result.connect.average} ms`)
    return result
  }
  await run('without a proxy', {})

  // Behind a proxy, connectTo says where the tunnel leads.
  const through = { url: 'http://shop.test/', connectTo: `shop.test:80:127.0.0.1:${new URL(url).port}` }
  const { proxy: { connect } } = await run('through a proxy', { ...through, proxy: `http://me:secret@127.0.0.1:${port}` })
  console.log(`of which the proxy took ${connect.average} ms`)

  const { errors, proxy: { errors: [{ code, message }] } } = await run('without the password', { ...through, amount: 10, proxy: `http://127.0.0.1:${port}` })
  console.log(`${errors} errors ${code}: ${message}`)
}).finally(() => proxy.close())
