'use strict'

// A server of WebSocket over HTTP/2 (RFC 8441) with nothing but node:http2: it sends each message of up to 64 KiB back. It has no
// fragmented messages and no compression. It listens on PORT, without TLS.

const { createServer } = require('node:http2')

const CLOSE = 8
const PING = 9
const PONG = 10

// Without this setting a client must not ask for a WebSocket.
const server = createServer({ settings: { enableConnectProtocol: true } })

server.on('stream', (stream, { ':method': method, ':protocol': protocol }) => {
  if (method !== 'CONNECT' || protocol !== 'websocket') return stream.respond({ ':status': 404 }, { endStream: true })
  stream.respond({ ':status': 200 })
  let rest = Buffer.alloc(0)
  stream.on('error', () => {}).on('data', bytes => {
    rest = Buffer.concat([rest, bytes])
    for (let frame = read(rest); frame !== null; frame = read(rest)) {
      rest = rest.subarray(frame.end)
      if (frame.opcode !== PONG) stream.write(write(frame.opcode === PING ? PONG : frame.opcode, frame.payload))
      if (frame.opcode === CLOSE) return stream.end()
    }
  })
})

/** Returns a frame of a client, which is masked (RFC 6455 §5.2); null until it is whole. */
function read (bytes) {
  if (bytes.length < 6) return null
  const isLong = (bytes[1] & 127) === 126
  if (isLong && bytes.length < 8) return null
  const length = isLong ? bytes.readUInt16BE(2) : bytes[1] & 127
  const start = isLong ? 8 : 6
  const mask = bytes.subarray(start - 4, start)
  const end = start + length
  return bytes.length < end ? null : { opcode: bytes[0] & 15, payload: bytes.subarray(start, end).map((byte, i) => byte ^ mask[i % 4]), end }
}

/** Returns a frame of a server, which has no mask. */
function write (opcode, payload) {
  const { length } = payload
  const head = length < 126 ? [0x80 | opcode, length] : [0x80 | opcode, 126, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), payload])
}

server.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log(`ws://127.0.0.1:${server.address().port}`))
