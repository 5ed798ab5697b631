'use strict'

// The HTTP/2 clients that Node.js has, doing what a benchmark does: so many streams on each connection, and a request for each
// answer. Each is used as cheaply as it can be, and knows of latency nothing.
//
//   node http2-client.js undici|node:http2 URL CONNECTIONS STREAMS SECONDS

const http2 = require('node:http2')

/**
 * @typedef {{ count: number, failed: number, bytes: number }} Figures
 * @type {Record<string, (url: string, streams: number, figures: Figures) => void>} opens a connection and keeps its streams busy
 */
const CLIENTS = {
  undici (url, streams, figures) {
    const { Client } = require('undici')
    const client = new Client(url, { allowH2: true, pipelining: streams, maxConcurrentStreams: streams, connect: { rejectUnauthorized: false } })
    const options = { path: '/', method: /** @type {const} */ ('GET') }
    const send = () => client.dispatch(options, {
      onRequestStart () {},
      onResponseStart (controller, status) { if (status !== 200) figures.failed++ },
      onResponseData (controller, bytes) { figures.bytes += bytes.length },
      onResponseEnd () {
        figures.count++
        send()
      },
      onResponseError () { figures.failed++ }
    })
    for (let i = 0; i < streams; i++) send()
  },
  'node:http2' (url, streams, figures) {
    const session = http2.connect(url, { rejectUnauthorized: false })
    const headers = { ':path': '/' }
    const send = () => {
      const stream = session.request(headers)
      stream.on('response', ({ ':status': status }) => { if (status !== 200) figures.failed++ })
      stream.on('data', bytes => { figures.bytes += bytes.length })
      stream.on('error', () => { figures.failed++ })
      stream.on('end', () => {
        figures.count++
        send()
      })
    }
    // Before the server has said how many streams it takes, node:http2 sends no more than 100 at once.
    session.once('remoteSettings', () => { for (let i = 0; i < streams; i++) send() })
  }
}

const [client, url, connections, streams, seconds] = process.argv.slice(2)
const figures = { count: 0, failed: 0, bytes: 0 }
for (let i = 0; i < Number(connections); i++) CLIENTS[client](url, Number(streams), figures)
setTimeout(() => {
  console.log(JSON.stringify(figures))
  process.exit()
}, Number(seconds) * 1000)
