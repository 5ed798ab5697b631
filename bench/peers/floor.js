'use strict'

// The floor of any client on Node.js: sockets that are read and written again, and nothing else. It believes that each
// answer has the size of the first: it knows no HTTP, measures no latency and notices no error.
//
//   node floor.js URL CONNECTIONS PIPELINING SECONDS

const net = require('node:net')

const [url, connections, pipelining, seconds] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const requests = Buffer.from(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`.repeat(Number(pipelining)))
const buffer = Buffer.allocUnsafeSlow(64 * 1024)
let size = 0
let bytes = 0

const sockets = Array.from({ length: Number(connections) }, () => {
  let sent = 0
  let read = 0
  const socket = net.connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer,
      callback: length => {
        if (size === 0) size = buffer.indexOf('hello world\n') + 12
        bytes += length
        read += length
        if (read >= sent * size) send()
        return true
      }
    }
  }, send)
  function send () {
    sent += Number(pipelining)
    socket.write(requests)
  }
  return socket
})

setTimeout(() => {
  for (const socket of sockets) socket.destroy()
  console.log(JSON.stringify({ count: bytes / size, bytes }))
}, Number(seconds) * 1000)
