'use strict'

// Answers that are strange, malformed, endless or not HTTP at all, in the middle of a pipeline: what was answered before counts,
// and all that is behind fails with one code.
//
// Which bytes are malformed, at which split, is the parser's: test/protocols/http1/response-parser.test.js has a table for each part of a
// message, and test/protocols/http1/response-parser-llhttp.test.js compares it with llhttp. Lengths of HEAD, 1xx, 204, 304, HTTP/1.0 and
// bodies that end with the connection are in test/engine/connection.test.js › how an answer ends.

const t = require('tap')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const tls = require('node:tls')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')
const { once } = require('node:events')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')
const { generatorOf, begin, ANSWER } = require('../engine/helpers/fake-load')

// Only what garbage collection leaves is in use, and when it runs is chance.
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** @returns {number} bytes */
function memoryInUse () {
  collectGarbage()
  // Memory of buffers that the first one has found is given back behind it, by the second at the latest.
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const run = (server, opts) => autocannon({ url: server.url, connections: 1, timeout: 20, ...opts })

const ok = (...lines) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n')
const chunked = bytes => ok('Transfer-Encoding: chunked') + bytes

t.test('an answer that is strange', async t => {
  for (const [what, bytes, status = 200] of [
    ['status 999', 'HTTP/1.1 999 Why\r\nContent-Length: 0\r\n\r\n', 999],
    ['status 600', 'HTTP/1.1 600 Why\r\nContent-Length: 0\r\n\r\n', 600],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'],
    ['a reason in Latin-1', Buffer.from('HTTP/1.1 200 gr\xfc\xdfe\r\nContent-Length: 0\r\n\r\n', 'latin1')],
    ['a folded header', ok('X: a', ' b', 'Content-Length: 0')],
    ['a header of 60 KiB', ok('X: ' + 'x'.repeat(60 * 1024), 'Content-Length: 0')],
    ['1,000 headers', ok(...Array(1000).fill('X-Y: z'), 'Content-Length: 0')],
    ['100 interim answers', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100) + answer('hi')],
    ['a chunk extension of 60 KiB', chunked(`2;${'x'.repeat(60 * 1024)}\r\nok\r\n0\r\n\r\n`)],
    ['chunks of one byte', chunked('1\r\nx\r\n'.repeat(1000) + '0\r\n\r\n')]
  ]) {
    t.test(`is counted: ${what}`, async t => {
      const server = await rawServer(t, bytes)
      const result = await run(server, { pipelining: 3, amount: 9 })
      t.equal(server.connections.length, 1)
      t.strictSame(result.statusCodeStats, { [status]: { count: 9 } })
      t.equal(result['2xx'], status === 200 ? 9 : 0)
      t.equal(result.non2xx, status === 200 ? 0 : 9)
      t.equal(result.throughput.total, 9 * bytes.length)
      t.equal(result.errors, 0)
      conserves(t, result, { arrived: 9 })
    })
  }
})

t.test('an answer that is malformed', async t => {
  for (const [code, what, bytes] of [
    ['AC_CONTENT_LENGTH', 'a negative length', ok('Content-Length: -1')],
    ['AC_CONTENT_LENGTH', 'a length beyond exact numbers', ok('Content-Length: 9007199254740993')],
    ['AC_CONTENT_LENGTH', 'a length of 400 digits', ok(`Content-Length: ${'9'.repeat(400)}`)],
    ['AC_CONTENT_LENGTH', 'a length that is repeated', ok('Content-Length: 0', 'Content-Length: 0')],
    ['AC_CONTENT_LENGTH', 'lengths that conflict', ok('Content-Length: 0', 'Content-Length: 5')],
    ['AC_CONTENT_LENGTH', 'a list of lengths', ok('Content-Length: 0, 0')],
    ['AC_CONTENT_LENGTH', 'a length that is no number', ok('Content-Length: none')],
    ['AC_CONTENT_LENGTH', 'a length and chunked', ok('Content-Length: 0', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['AC_TRANSFER_ENCODING', 'chunked twice', ok('Transfer-Encoding: chunked, chunked')],
    ['AC_CHUNK', 'a chunk size that overflows', chunked('fffffffffffffffff\r\n')],
    ['AC_CHUNK', 'a negative chunk size', chunked('-1\r\n')],
    ['AC_CHUNK', 'a chunk without its CRLF', chunked('2\r\nok0\r\n\r\n')],
    ['AC_CHUNK', 'a chunk size without CR', chunked('2\nok\r\n0\r\n\r\n')],
    ['AC_HEAD_SIZE', 'a chunk extension without end', chunked('2;' + 'x'.repeat(64 * 1024))],
    ['AC_HEADER', 'a folded length', ok('Content-Length:', ' 0')],
    ['AC_HEADER', 'a bare LF', 'HTTP/1.1 200 OK\r\nContent-Length: 0\n\n'],
    ['AC_HEADER', 'NUL in a value', ok('X: \0', 'Content-Length: 0')],
    ['AC_HEADER', 'NUL in a name', ok('X\0: y', 'Content-Length: 0')],
    ['AC_HEADER', 'a space in front of a colon', ok('Content-Length : 0')],
    ['AC_HEADER', 'a trailer without colon', chunked('0\r\nX\r\n\r\n')],
    ['AC_STATUS_LINE', 'a body longer than its length', answer('').replace('\r\n\r\n', '\r\n\r\nmore')],
    ['AC_STATUS_LINE', 'a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['AC_STATUS_LINE', 'status 099', 'HTTP/1.1 099 Why\r\nContent-Length: 0\r\n\r\n'],
    ['AC_STATUS_LINE', 'status 000', 'HTTP/1.1 000 Why\r\nContent-Length: 0\r\n\r\n'],
    ['AC_STATUS_LINE', 'HTTP/0.9', '<html></html>'],
    ['AC_STATUS_LINE', 'HTTP/2', Buffer.from('00001204000000000000030000008000040001000000050000ffff', 'hex')],
    ['AC_TLS_ALERT', 'a TLS alert', Buffer.from('15030100020228', 'hex')],
    ['AC_STATUS_LINE', 'the banner of SSH', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['AC_STATUS_LINE', 'the banner of SMTP', '220 mail.example.org ESMTP\r\n']
  ]) {
    t.test(`fails with what is behind it: ${what}`, async t => {
      const before = what === 'a body longer than its length' ? 2 : 1
      const server = await rawServer(t, [
        (connection, { index }) => { if (index === 3) connection.send(Buffer.concat([Buffer.from(answer('fine')), Buffer.from(bytes)])) },
        answer()
      ])
      const result = await run(server, { pipelining: 4, amount: 10 })
      t.equal(server.connections.length, 2, 'nothing is read behind it')
      t.strictSame(result.errorCodes, { [code]: 4 - before })
      t.strictSame(result.fates, { sent: 10, completed: 6 + before, timedOut: 0, failed: 4 - before, abandoned: 0 })
      conserves(t, result, { arrived: 10 })
    })
  }
})

t.test('an answer without end', async t => {
  /** Sends without a pause, as much as the client takes, until it goes. */
  const flood = bytes => connection => {
    const { socket } = connection
    const more = () => { while (socket.writable && socket.write(bytes)); }
    socket.on('drain', more)
    more()
  }
  const kib = Buffer.alloc(1024, 'x')

  t.test('of its head fails at 64 KiB', async t => {
    const server = await rawServer(t, (connection, request) => {
      connection.socket.write('HTTP/1.1 200 OK\r\nX: ')
      flood(kib)(connection, request)
    })
    const result = await run(server, { amount: 3 })
    t.strictSame(result.errorCodes, { AC_HEAD_SIZE: 3 })
    t.ok(result.throughput.total < 3 * 1024 * 1024, `${result.throughput.total} bytes were read`)
    conserves(t, result, { arrived: 3 })
  })

  t.test('of its headers fails at 64 KiB', async t => {
    const server = await rawServer(t, (connection, request) => {
      connection.socket.write('HTTP/1.1 200 OK\r\n')
      flood('X-Y: z\r\n'.repeat(100))(connection, request)
    })
    const result = await run(server, { amount: 3 })
    t.strictSame(result.errorCodes, { AC_HEAD_SIZE: 3 })
    conserves(t, result, { arrived: 3 })
  })

  t.test('of its trailers fails at 64 KiB', async t => {
    const server = await rawServer(t, (connection, request) => {
      connection.socket.write(chunked('0\r\n'))
      flood('X-Y: z\r\n'.repeat(100))(connection, request)
    })
    const result = await run(server, { amount: 3 })
    t.strictSame(result.errorCodes, { AC_HEAD_SIZE: 3 })
    conserves(t, result, { arrived: 3 })
  })

  for (const [how, head, bytes] of [
    ['with the connection', ok(), kib],
    ['in chunks', chunked(''), Buffer.from(`400\r\n${kib}\r\n`)],
    ['of a length that never comes', ok('Content-Length: 9007199254740991'), kib]
  ]) {
    t.test(`of its body ${how} times out`, async t => {
      const server = await rawServer(t, (connection, request) => {
        connection.socket.write(head)
        flood(bytes)(connection, request)
      })
      const result = await run(server, { timeout: 0.3, amount: 2 })
      t.strictSame(result.errorCodes, { AC_TIMEOUT: 2 })
      conserves(t, result, { arrived: 2 })
    })

    t.test(`of its body ${how} is not kept, unless it is inspected`, async t => {
      const read = Buffer.concat(Array(60).fill(bytes))
      /** How much memory is in use behind 400 reads that was not before, when all garbage has been collected. */
      const keptOf = opts => {
        const log = generatorOf({ amount: 1, ...opts })
        begin(log)
        log.sockets[0].read(Buffer.from(head))
        const before = memoryInUse()
        for (let i = 0; i < 400; i++) log.sockets[0].read(read)
        const kept = memoryInUse() - before
        log.generator.stop()
        conserves(t, log.result())
        return kept
      }
      const total = 400 * read.length
      const [none, all] = [keptOf({}), keptOf({ expectBody: 'x' })]
      t.ok(none < total / 10, `${none} of ${total} bytes`)
      t.ok(all > total * 0.9, `${all} of ${total} bytes are kept for expectBody`)
    })
  }

  t.test('of interim answers times out', async t => {
    const server = await rawServer(t, flood('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)))
    const result = await run(server, { timeout: 0.3, amount: 1 })
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 1 })
    conserves(t, result, { arrived: 1 })
  })
})

t.test('responses without a request', async t => {
  t.test('are told apart from those to requests, however they are cut', async t => {
    const one = answer('one')
    const two = one + answer('two')
    // A run by amount ends with the read that brings its last answer: later bytes are ignored.
    for (const [cut, unrequested] of [[1, 1], [one.length - 1, 1], [one.length, 0], [one.length + 1, 0], [two.length - 1, 1]]) {
      const server = await rawServer(t, connection => connection.send(two.slice(0, cut), two.slice(cut)))
      const result = await run(server, { amount: 1 })
      t.strictSame(result.errorCodes, unrequested === 1 ? { AC_UNREQUESTED: 1 } : {}, `cut at ${cut} of ${two.length}`)
      t.equal(result.fates.completed, 1)
      conserves(t, result, { neverSent: unrequested, arrived: 1 })
    }
  })

  t.test('while nothing is in flight are an error and end the connection', async t => {
    const log = generatorOf({ rate: 10, duration: 1 })
    begin(log, socket => socket.read(ANSWER))
    log.time.pass(50)
    log.sockets[0].read(ANSWER)
    t.ok(log.sockets[0].destroyed)
    log.sockets[1].ready(socket => socket.read(ANSWER))
    log.time.pass(950)
    t.match(log.total, { sent: 10, completed: 10, failed: 0, neverSent: 1, AC_UNREQUESTED: 1 })
    conserves(t, log.result(), { neverSent: 1, arrived: 10 })
  })

  t.test('and are not HTTP are an error all the same: a server that speaks first', async t => {
    const log = generatorOf({ rate: 10, duration: 1 })
    begin(log, socket => socket.read(ANSWER))
    log.time.pass(50)
    log.sockets[0].read(Buffer.from('SSH-2.0-OpenSSH_9.6\r\n'))
    log.sockets[1].ready(socket => socket.read(ANSWER))
    log.time.pass(950)
    t.match(log.total, { sent: 10, completed: 10, neverSent: 1, AC_STATUS_LINE: 1 })
    conserves(t, log.result(), { neverSent: 1, arrived: 10 })
  })
})

t.test('a peer that speaks something else', async t => {
  t.test('SSH: its banner is there before our request', async t => {
    const server = await rawServer(t, () => {}, { onConnection: connection => connection.send('SSH-2.0-OpenSSH_9.6\r\n') })
    const result = await run(server, { connections: 2, amount: 4 })
    t.strictSame(result.errorCodes, { AC_STATUS_LINE: 4 })
    t.equal(result.fates.failed, 4)
    conserves(t, result)
  })

  t.test('TLS on the port of an http URL', async t => {
    const fixture = name => readFileSync(join(__dirname, '..', 'fixtures', 'tls', name))
    const server = tls.createServer({ key: fixture('key.pem'), cert: fixture('cert.pem') }).listen(0, '127.0.0.1')
    server.on('tlsClientError', () => {})
    t.teardown(() => new Promise(resolve => server.close(resolve)))
    await once(server, 'listening')
    const result = await run({ url: `http://127.0.0.1:${server.address().port}` }, { connections: 2, amount: 4 })
    t.strictSame(result.fates, { sent: 4, completed: 0, timedOut: 0, failed: 4, abandoned: 0 })
    // Node.js closes without a word; what answers with an alert is AC_TLS_ALERT.
    t.strictSame(result.errorCodes, { AC_CLOSED: 4 })
    conserves(t, result)
  })
})
