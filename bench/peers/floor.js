'use strict'

// The floor of any client on Node.js: sockets that are read and written again, and nothing else. It believes that each
// answer has the size of the first: it knows no HTTP, measures no latency and notices no error.
//
//   node floor.js URL CONNECTIONS PIPELINING SECONDS

const net = require('node:net')

/** @returns {{ count: () => number, bytes: () => number, stop: () => void }} `count`: of complete answers */
function startFloor ({ url, connections, pipelining }) {
  const { hostname, port } = new URL(url)
  const requests = Buffer.from(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`.repeat(pipelining))
  const buffer = Buffer.allocUnsafeSlow(64 * 1024)
  let size = 0
  let bytes = 0
  const sockets = Array.from({ length: connections }, () => {
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
      sent += pipelining
      socket.write(requests)
    }
    return socket
  })
  return { count: () => size === 0 ? 0 : bytes / size, bytes: () => bytes, stop: () => sockets.forEach(socket => socket.destroy()) }
}

if (require.main === module) {
  const [url, connections, pipelining, seconds] = process.argv.slice(2)
  const floor = startFloor({ url, connections: Number(connections), pipelining: Number(pipelining) })
  setTimeout(() => {
    floor.stop()
    console.log(JSON.stringify({ count: floor.count(), bytes: floor.bytes() }))
  }, Number(seconds) * 1000)
}

module.exports = { startFloor }
