'use strict'

// Servers that make the most of being asked again. What each try becomes is exact on the fake clock in test/engine/retries.test.js.

const t = require('tap')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')

const LATER = 'HTTP/1.1 503 Later\r\n'
/** @param {any} server @param {Record<string, any>} opts */
const run = (server, opts) => autocannon({ url: server.url, connections: 2, timeout: 20, ...opts })

t.test('503 for ever is asked for so often, whatever Retry-After says', async t => {
  for (const value of ['1e99', 'NaN', '-1', '0x10', '', '9'.repeat(5000).replace(/9/g, 'x'), 'Thu, 01 Jan 1970 00:00:00 GMT']) {
    const server = await rawServer(t, `${LATER}Retry-After: ${value}\r\nContent-Length: 0\r\n\r\n`)
    const result = await run(server, { amount: 40, retries: 4 })
    t.strictSame([result.retries, result.non2xx], [32, 40])
    t.strictSame([result.iterations.completed, result.iterations.cut], [8, 0])
    conserves(t, result)
  }
})

t.test('a time to wait of a year is none at the end of a run', async t => {
  const server = await rawServer(t, `${LATER}Retry-After: 31536000\r\nContent-Length: 0\r\n\r\n`)
  const result = await run(server, { duration: 1, retries: 4 })
  t.strictSame([result.requests.sent, result.retries, result.iterations.unfinished], [2, 0, 2])
  conserves(t, result)
})

t.test('a reset at each try, also inside of a 503', async t => {
  for (const bytes of ['', 'HTTP/1.1 5', `${LATER}Content-Length: 5\r\n\r\nab`]) {
    const server = await rawServer(t, connection => connection.send(bytes).reset())
    const result = await run(server, { amount: 12, retries: 2 })
    t.strictSame([result.errorCodes, result.retries, result.iterations.cutBy], [{ ECONNRESET: 12 }, 8, { ECONNRESET: 4 }])
    conserves(t, result)
  }
})

t.test('a 503 whose body never ends is one that takes too long', async t => {
  const more = Buffer.alloc(64 * 1024, 'x')
  const server = await rawServer(t, ({ socket }) => {
    const go = () => { while (socket.writable && socket.write(more)); }
    socket.on('drain', go)
    socket.write(`${LATER}Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n`)
    go()
  })
  const result = await run(server, { connections: 1, amount: 3, timeout: 0.3, retries: 2, requests: [{ expect: { status: 200 }, capture: { next: 'header location' } }] })
  t.strictSame([result.timeouts, result.retries, result.iterations.cutBy], [3, 2, { AC_TIMEOUT: 1 }])
  conserves(t, result)
})

t.test('a response without a request after a 503 is an error, and the try goes on with another connection', async t => {
  const server = await rawServer(t, [connection => connection.send(`${LATER}Content-Length: 0\r\n\r\n${answer('unasked')}`), answer('ok')])
  const result = await run(server, { connections: 1, amount: 2, retries: 3, requests: [{ expect: { body: 'ok' } }] })
  t.match(result.errorCodes, { AC_UNREQUESTED: 1 })
  t.equal(result.checks[0].passed, 1)
  t.equal(result.retries, 1)
  conserves(t, result, { neverSent: 1 })
})
