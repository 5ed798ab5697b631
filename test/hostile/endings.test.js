'use strict'

// A connection that ends, in an orderly way (FIN) or not (RST), behind every single byte of an answer. What is left of each
// request is exact: one offset, one connection.
//
// How answers end when all goes well, and where connections end at a few named places, is in test/engine/connection.test.js.

const t = require('tap')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')

const ANSWERS = {
  'with a length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'in chunks with a trailer': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n',
  'behind an interim one': 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
  'without a length': 'HTTP/1.1 200 OK\r\nServer: x\r\n\r\nhello'
}
/** From how many bytes on an answer that the connection ends is complete. */
const enough = bytes => /content-length|chunked|103/i.test(bytes) ? bytes.length : bytes.indexOf('\r\n\r\n') + 4

/** Leaves out what is 0, as errorCodes does. */
const counts = errors => Object.fromEntries(Object.entries(errors).filter(([, n]) => n > 0))

for (const [kind, bytes] of Object.entries(ANSWERS)) {
  const offsets = bytes.length
  const cut = enough(bytes)
  const run = (server, opts) => autocannon({ url: server.url, connections: offsets, timeout: 20, ...opts })

  t.test(`an answer ${kind} and FIN behind each of its ${offsets} bytes`, async t => {
    const server = await rawServer(t, connection => connection.send(bytes.slice(0, connection.index)).end())
    const result = await run(server, { amount: offsets })
    t.equal(server.connections.length, offsets)
    t.strictSame(result.fates, { sent: offsets, completed: offsets - cut, timedOut: 0, failed: cut, abandoned: 0 })
    t.strictSame(result.errorCodes, { AC_CLOSED: 1, AC_TRUNCATED: cut - 1 })
    t.equal(result.resent, 0)
    t.equal(result.throughput.total, offsets * (offsets - 1) / 2, 'every byte is counted')
    conserves(t, result, { arrived: offsets })
  })

  t.test(`an answer ${kind} and RST behind each of its ${offsets} bytes`, async t => {
    const server = await rawServer(t, connection => connection.send(bytes.slice(0, connection.index)).reset())
    const result = await run(server, { amount: offsets })
    t.equal(server.connections.length, offsets)
    t.strictSame(result.fates, { sent: offsets, completed: 0, timedOut: 0, failed: offsets, abandoned: 0 })
    t.strictSame(result.errorCodes, { ECONNRESET: offsets })
    conserves(t, result, { arrived: offsets })
  })

  t.test(`an answer ${kind} and FIN behind each of its ${offsets} bytes, between two others in a pipeline`, async t => {
    const server = await rawServer(t, (connection, { index }) => {
      if (connection.index >= offsets) connection.send(answer())
      else if (index === 2) connection.send(answer() + bytes.slice(0, connection.index)).end()
    })
    const result = await run(server, { pipelining: 3, amount: 3 * offsets })
    // After no byte both are sent again. Inside the response that request fails, and the last one is sent again, as after a whole response.
    t.strictSame(result.errorCodes, counts({ AC_TRUNCATED: cut - 1 }))
    t.equal(result.fates.completed, 3 * offsets - (cut - 1))
    t.equal(result.resent, 2 + offsets - 1)
    t.equal(server.connections.length, 2 * offsets)
    conserves(t, result, { arrived: 3 * offsets + result.resent })
  })

  t.test(`an answer ${kind} and RST behind each of its ${offsets} bytes, between two others in a pipeline`, async t => {
    const server = await rawServer(t, (connection, { index }) => {
      if (connection.index >= offsets) connection.send(answer())
      else if (index === 2) connection.send(answer() + bytes.slice(0, connection.index)).reset()
    })
    const result = await run(server, { pipelining: 3, amount: 3 * offsets })
    // As after FIN. A response that lasts until the end of the connection has none after RST.
    t.strictSame(result.errorCodes, { ECONNRESET: offsets - 1 })
    t.equal(result.fates.completed, 3 * offsets - (offsets - 1))
    t.equal(result.resent, 2 + offsets - 1)
    t.equal(server.connections.length, 2 * offsets)
    conserves(t, result, { arrived: 3 * offsets + result.resent })
  })
}
