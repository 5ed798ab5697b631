'use strict'

// The engine against byte-exact servers, through the public API. Runs by amount have exact numbers.

const t = require('tap')
const { createHash, randomFillSync } = require('node:crypto')
const { join } = require('node:path')
const autocannon = require('../..')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { conserves } = require('../helpers/results/conservation')
const { shortFolder } = require('../helpers/short-folder')

const CLOSE = 'Connection: close\r\n'

/** One connection, no pipelining, and patience: a test changes what it is about. */
const run = (server, opts) => autocannon({ url: server.url, connections: 1, timeout: 20, ...opts })

/** Answers nothing until `depth` requests are there, then all of them in one write. */
const inRounds = depth => (connection, { index }) => {
  if ((index + 1) % depth === 0) connection.send(answer('hi').repeat(depth))
}

t.test('the amount is exact', async t => {
  for (const [connections, pipelining, amount] of [
    [1, 1, 1],
    [1, 1, 10],
    [1, 4, 10],
    [3, 2, 10],
    [10, 1, 3],
    [4, 10, 7],
    [7, 3, 100],
    [2, 100, 1000]
  ]) {
    t.test(`sends ${amount} requests over ${connections} connections of depth ${pipelining}`, async t => {
      const server = await rawServer(t, answer('hello'))
      const result = await run(server, { connections, pipelining, amount })
      t.equal(server.requests.length, amount)
      t.equal(server.connections.length, Math.min(connections, amount), 'no connection is opened that has nothing to do')
      const shares = server.connections.map(({ requests }) => requests.length)
      t.ok(Math.max(...shares) - Math.min(...shares) <= 1, 'connections have equal shares')
      t.equal(result['2xx'], amount)
      t.equal(result.errors, 0)
      t.equal(result.throughput.total, amount * answer('hello').length)
      t.strictSame(result.statusCodeStats, { 200: { count: amount } })
      t.strictSame(result.fates, { sent: amount, completed: amount, timedOut: 0, failed: 0, abandoned: 0 })
      conserves(t, result)
    })
  }
})

t.test('pipelining', async t => {
  t.test('keeps as many requests in flight as it is deep, and never more', async t => {
    const depth = 4
    const amount = 20
    const seen = []
    let completed = 0
    const server = await rawServer(t, async (connection, { index }) => {
      if (index !== depth - 1) return
      // The pipeline is full. Now answer one by one, each once the pipeline is full again.
      for (; completed < amount; completed++) {
        while (connection.requests.length - completed < Math.min(depth, amount - completed)) await new Promise(resolve => setImmediate(resolve))
        seen.push(connection.requests.length - completed)
        await connection.send(answer()).work
      }
    })
    const result = await run(server, { pipelining: depth, amount })
    t.strictSame(seen, [...Array(amount - depth + 1).fill(depth), ...Array.from({ length: depth - 1 }, (_, i) => depth - 1 - i)])
    t.equal(result.requests.total, amount)
    conserves(t, result)
  })

  t.test('writes all requests at once that one read makes due', async t => {
    const server = await rawServer(t, inRounds(8))
    const result = await run(server, { connections: 2, pipelining: 8, amount: 64 })
    for (const { reads } of server.connections) t.strictSame(reads, [8, 8, 8, 8])
    conserves(t, result)
  })

  t.test('waits for more answers while more than half of the requests are in flight', async t => {
    const server = await rawServer(t, (connection, { index }) => {
      if (index === 9) connection.send(answer(), answer(), answer(), answer(), answer())
      if (index === 14) connection.send(answer().repeat(10))
    })
    const result = await run(server, { pipelining: 10, amount: 15 })
    t.ok(server.connections[0].reads.length <= 4, `5 answers one by one led to ${server.connections[0].reads.length - 1} writes`)
    conserves(t, result)
  })

  t.test('writes as many requests as were answered', async t => {
    const server = await rawServer(t, (connection, { index }) => {
      if (index === 4) connection.send(answer().repeat(2))
      if (index === 6) connection.send(answer().repeat(3))
      if (index === 9) connection.send(answer().repeat(5))
      if (index === 11) connection.send(answer().repeat(2))
    })
    const result = await run(server, { pipelining: 5, amount: 12 })
    t.strictSame(server.connections[0].reads, [5, 2, 3, 2])
    conserves(t, result)
  })

  t.test('sends the same bytes whether one by one or in runs', async t => {
    const bytes = []
    for (const pipelining of [1, 7]) {
      const server = await rawServer(t, answer())
      await run(server, { pipelining, amount: 14, body: 'x=1', method: 'POST', headers: { host: 'example.org' } })
      bytes.push(server.connections[0].received.toString())
    }
    t.equal(bytes[0], bytes[1])
    t.equal(bytes[0], 'POST / HTTP/1.1\r\nConnection: keep-alive\r\nhost: example.org\r\nContent-Length: 3\r\n\r\nx=1'.repeat(14))
  })

  t.test('reads answers that are cut at any place', async t => {
    const three = answer('one') + 'HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n' + answer('three', 'X-Y: z\r\n')
    let cut = 0
    const server = await rawServer(t, (connection, { index }) => {
      if (index % 3 !== 2) return
      cut++
      connection.send(three.slice(0, cut), three.slice(cut))
    })
    const rounds = three.length - 1
    const result = await run(server, { pipelining: 3, amount: 3 * rounds })
    t.equal(server.connections.length, 1)
    t.strictSame(result.statusCodeStats, { 200: { count: 2 * rounds }, 404: { count: rounds } })
    t.equal(result.throughput.total, three.length * rounds)
    conserves(t, result)
  })
})

t.test('how an answer ends', async t => {
  const body = 'as long as it lasts'
  for (const [name, { bytes, ends = false, opts = {}, amount = 6, connections = 1, completed = amount, statuses = { 200: completed } }] of Object.entries({
    'counts a response that ends with the connection': {
      bytes: `HTTP/1.1 200 OK\r\n\r\n${body}`, ends: true, connections: 6
    },
    'counts one response that ends with the connection, and fails the POSTs behind it': {
      bytes: `HTTP/1.1 200 OK\r\n\r\n${body}`, ends: true, opts: { pipelining: 3, method: 'POST' }, connections: 2, completed: 2
    },
    'counts an HTTP/1.0 response that ends with the connection': {
      bytes: `HTTP/1.0 200 OK\r\n\r\n${body}`, ends: true, connections: 6
    },
    'closes after an HTTP/1.0 response without keep-alive': {
      bytes: `HTTP/1.0 200 OK\r\nContent-Length: 19\r\n\r\n${body}`, connections: 6
    },
    'keeps the connection after an HTTP/1.0 response with keep-alive': {
      bytes: `HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 19\r\n\r\n${body}`
    },
    'closes after Connection: close, although the server does not': {
      bytes: answer(body, CLOSE), connections: 6
    },
    'closes after Connection: close together with the server': {
      bytes: answer(body, CLOSE), ends: true, connections: 6
    },
    'fails the POSTs behind Connection: close': {
      bytes: answer(body, CLOSE), opts: { pipelining: 3, method: 'POST' }, connections: 2, completed: 2
    },
    'closes after Connection: close with an empty chunked body': {
      bytes: `HTTP/1.1 200 OK\r\n${CLOSE}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, connections: 6
    },
    'takes no body for an answer to HEAD, whatever its length says': {
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', opts: { method: 'HEAD', pipelining: 3 }
    },
    'takes no body for a chunked answer to HEAD': {
      bytes: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', opts: { method: 'HEAD', pipelining: 3 }
    },
    'takes no body for 204': {
      bytes: 'HTTP/1.1 204 No Content\r\n\r\n', opts: { pipelining: 3 }, statuses: { 204: 6 }
    },
    'takes no body for 304, whatever its length says': {
      bytes: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n', opts: { pipelining: 3 }, statuses: { 304: 6 }
    },
    'takes 100 Continue for no answer': {
      bytes: 'HTTP/1.1 100 Continue\r\n\r\n' + answer(body), opts: { pipelining: 3 }
    },
    'takes several interim responses for no answer': {
      bytes: 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n' + answer(body)
    },
    'reads chunks with extensions and trailers': {
      bytes: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n1\r\n \r\nA ; x="y"\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n',
      opts: { pipelining: 3 }
    },
    'reads an empty body': {
      bytes: answer(''), opts: { pipelining: 6 }
    },
    'counts each class of status': {
      bytes: 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n', statuses: { 503: 6 }
    }
  })) {
    for (const bytewise of [false, true]) {
      t.test(name + (bytewise ? ', byte by byte' : ''), async t => {
        const server = await rawServer(t, (connection, request) => {
          // A connection that is about to end answers its first request only.
          if (request.index > 0 && (ends || connections > 1)) return
          connection.send(...bytewise ? bytes : [bytes])
          if (ends) connection.end()
        })
        const result = await run(server, { amount, ...opts })
        t.equal(server.requests.length, amount)
        t.equal(server.connections.length, connections)
        t.strictSame(result.statusCodeStats, Object.fromEntries(Object.entries(statuses).map(([status, count]) => [status, { count }])))
        t.equal(result.fates.completed, completed)
        t.strictSame(result.errorCodes, completed === amount ? {} : { AC_CLOSED: amount - completed })
        t.equal(result.throughput.total, completed * bytes.length)
        t.equal(result['2xx'], (statuses[200] ?? 0) + (statuses[204] ?? 0))
        t.equal(result.non2xx, completed - result['2xx'])
        conserves(t, result)
      })
    }
  }
})

t.test('a server that breaks off', async t => {
  const fin = bytes => connection => connection.send(bytes).end()
  const rst = bytes => connection => connection.send(bytes).reset()
  for (const [name, script, first, behind] of [
    ['fails a request whose connection ends without an answer', connection => connection.end(), 'AC_CLOSED', 'AC_CLOSED'],
    ['fails a request whose connection ends after an interim response', fin('HTTP/1.1 100 Continue\r\n\r\n'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection ends inside the first word', fin('HTT'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection ends inside the head', fin('HTTP/1.1 200 OK\r\nContent-Le'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection ends before the body', fin('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection ends inside the body', fin('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12345678'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection ends inside a chunk', fin('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n1234'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection ends before the last chunk', fin('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n1\r\n'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection ends inside the trailers', fin('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n'), 'AC_TRUNCATED', 'AC_CLOSED'],
    ['fails a request whose connection is reset without an answer', connection => connection.reset(), 'ECONNRESET', 'ECONNRESET'],
    ['fails a request whose connection is reset inside the head', rst('HTTP/1.1 200 OK\r\nContent-Le'), 'ECONNRESET', 'ECONNRESET'],
    ['fails a request whose connection is reset inside the body', rst('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234'), 'ECONNRESET', 'ECONNRESET'],
    ['fails a request whose connection is reset inside a body that would end with it', rst('HTTP/1.1 200 OK\r\n\r\n1234'), 'ECONNRESET', 'ECONNRESET']
  ]) {
    for (const pipelining of [1, 3]) {
      t.test(`${name}, depth ${pipelining}`, async t => {
        const server = await rawServer(t, (connection, request) => { if (request.index === 0) script(connection) })
        const result = await run(server, { pipelining, amount: 2 * pipelining })
        t.equal(server.connections.length, 2, 'reconnects')
        t.equal(result.fates.failed, 2 * pipelining)
        const codes = pipelining === 1 ? { [first]: 2 } : first === behind ? { [first]: 6 } : { [first]: 2, [behind]: 4 }
        t.strictSame(result.errorCodes, codes)
        conserves(t, result)
      })
    }
  }

  for (const pipelining of [1, 2]) {
    t.test(`counts on after the server closed every third answer without a word, depth ${pipelining}`, async t => {
      const server = await rawServer(t, (connection, { index }) => {
        if (index < 3) connection.send(answer('x'))
        if (index === 2) connection.end()
      })
      const result = await run(server, { pipelining, amount: 30 })
      t.equal(server.connections.length, 10)
      t.strictSame(result.fates, { sent: 30, completed: 30, timedOut: 0, failed: 0, abandoned: 0 })
      // When the third answer is read, the pipeline has been filled up behind it.
      t.equal(result.resent, 9 * pipelining)
      conserves(t, result, { arrived: server.requests.length })
    })
  }

  t.test('takes the first answer of a new connection for the request that is sent first on it', async t => {
    const server = await rawServer(t, [
      (connection, { index }) => { if (index === 2) connection.send('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n').end() },
      (connection, { head }) => connection.send(head.startsWith('HEAD') ? 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n' : answer('hello'))
    ])
    const result = await run(server, { requests: [{ method: 'HEAD' }, { method: 'GET' }], pipelining: 3, amount: 12 })
    const [first, second] = server.connections.map(({ requests }) => requests.map(({ head }) => head.slice(0, 4).trim()))
    t.strictSame(first.slice(0, 3), ['HEAD', 'GET', 'HEAD'])
    t.strictSame(second, [...Array(5).fill(['GET', 'HEAD']).flat(), 'GET'], 'one was answered')
    t.strictSame(result.fates, { sent: 12, completed: 12, timedOut: 0, failed: 0, abandoned: 0 })
    conserves(t, result, { arrived: server.requests.length })
  })

  t.test('goes on with the other connections when one is reset', async t => {
    const server = await rawServer(t, [connection => connection.reset(), answer()])
    const result = await run(server, { connections: 5, amount: 50 })
    t.strictSame(result.errorCodes, { ECONNRESET: 1 })
    t.equal(result.fates.completed, 49)
    conserves(t, result)
  })
})

t.test('a server that does not speak HTTP', async t => {
  for (const [code, bytes] of [
    ['AC_STATUS_LINE', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['AC_TLS_ALERT', '\x15\x03\x01\x00\x02\x02'],
    ['AC_STATUS_LINE', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['AC_STATUS_LINE', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['AC_HEADER', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['AC_STATUS_LINE', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['AC_HEADER', 'HTTP/1.1 200 OK\r\nContent-Length: 0\n\n'],
    ['AC_CONTENT_LENGTH', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['AC_CONTENT_LENGTH', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['AC_TRANSFER_ENCODING', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n'],
    ['AC_CHUNK', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n'],
    ['AC_HEAD_SIZE', 'HTTP/1.1 200 OK\r\nX: ' + 'x'.repeat(70_000)]
  ]) {
    t.test(`fails a request that is answered with ${JSON.stringify(bytes.slice(0, 60))} as ${code}`, async t => {
      const server = await rawServer(t, bytes)
      const result = await run(server, { amount: 3 })
      t.equal(server.connections.length, 3, 'closes the connection and opens another')
      t.strictSame(result.errorCodes, { [code]: 3 })
      t.equal(result.fates.failed, 3)
      conserves(t, result)
    })
  }

  t.test('counts the answers before the garbage, and fails all behind it', async t => {
    const server = await rawServer(t, [(connection, { index }) => { if (index === 3) connection.send(answer().repeat(2) + 'garbage') }, answer()])
    const result = await run(server, { pipelining: 4, amount: 20 })
    t.equal(server.connections.length, 2)
    t.equal(result.fates.completed, 18)
    t.equal(result.fates.failed, 2)
    t.ok(result.errorCodes.AC_STATUS_LINE >= 1)
    conserves(t, result)
  })

  t.test('closes a connection that brings more answers than there were requests, and says so', async t => {
    const server = await rawServer(t, answer('one') + answer('two'))
    const result = await run(server, { amount: 5 })
    t.equal(server.connections.length, 5)
    t.equal(result.fates.completed, 5)
    t.strictSame(result.errorCodes, { AC_UNREQUESTED: 5 })
    conserves(t, result, { neverSent: 5 })
  })
})

t.test('a server that is not there', async t => {
  // Nothing listens on port 1 (tcpmux), and only root could.
  const nobody = { url: 'http://127.0.0.1:1/' }

  t.test('ends a run by amount, with an error for each request that could not be sent', async t => {
    const errors = []
    const instance = run(nobody, { connections: 2, pipelining: 2, amount: 7 })
    instance.on('reqError', error => errors.push(error.code))
    const result = await instance
    t.equal(result.fates.sent, 0)
    t.strictSame(result.errorCodes, { ECONNREFUSED: 7 })
    t.strictSame(errors, Array(7).fill('ECONNREFUSED'))
    conserves(t, result, { neverSent: 7 })
  })

  t.test('tries again at growing intervals for as long as the duration lasts', async t => {
    const result = await run(nobody, { duration: 0.3 })
    t.strictSame(Object.keys(result.errorCodes), ['ECONNREFUSED'])
    t.ok(result.errors >= 2, 'tries again')
    // 10, 20, 40, 80, 160 and then 200 ms between two attempts.
    t.ok(result.errors <= 6 + result.duration * 1000 / 200, `${result.errors} attempts in ${result.duration} s`)
    conserves(t, result, { neverSent: result.errors })
  })

  t.test('measures once the server is there', async t => {
    const path = join(shortFolder(t), 'late.sock')
    const instance = autocannon({ url: 'http://localhost/', socketPath: path, connections: 1, pipelining: 1, amount: 100 })
    const failed = new Promise(resolve => instance.once('reqError', resolve))
    await failed
    await rawServer(t, answer(), { path })
    const result = await instance
    t.ok(result.fates.completed > 90)
    t.strictSame(Object.keys(result.errorCodes), ['ENOENT'])
    conserves(t, result, { neverSent: 100 - result.fates.sent })
  })
})

t.test('timeouts', async t => {
  const timeout = 0.15

  t.test('times out a request that is not answered, and opens another connection', async t => {
    const server = await rawServer(t, () => {})
    const result = await run(server, { timeout, amount: 2 })
    t.equal(server.connections.length, 2)
    t.strictSame(result.fates, { sent: 2, completed: 0, timedOut: 2, failed: 0, abandoned: 0 })
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 2 })
    t.ok(result.latency.min >= timeout * 1000, 'is in the tail of the latency, at its age')
    conserves(t, result)
  })

  t.test('times out all requests of a pipeline that are old enough', async t => {
    const server = await rawServer(t, () => {})
    const result = await run(server, { timeout, pipelining: 4, amount: 4 })
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 4 })
    t.equal(result.latency.totalCount, 4)
    conserves(t, result)
  })

  t.test('fails the younger requests behind one that timed out, without a latency', async t => {
    // Deadlines are looked at ten times per timeout: half of it is far from both ends, whatever a busy machine does to the timer.
    const timeout = 1
    const server = await rawServer(t, (connection, { index }) => {
      // The first answer comes late, so that the third request is younger than the second, which is never answered.
      if (index === 0) setTimeout(() => connection.send(answer()), timeout * 500)
    })
    const result = await run(server, { timeout, pipelining: 2, amount: 3 })
    t.strictSame(result.fates, { sent: 3, completed: 1, timedOut: 1, failed: 1, abandoned: 0 })
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 1, AC_BEHIND_TIMEOUT: 1 })
    t.equal(result.latency.totalCount, 2)
    t.ok(result.latency.max >= timeout * 1000)
    t.ok(result.latency.min < result.latency.max)
    conserves(t, result)
  })

  t.test('times out a request whose answer trickles for too long', async t => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n'
    const server = await rawServer(t, connection => {
      connection.send(head)
      const drip = setInterval(() => connection.send('.'), 5)
      connection.socket.on('close', () => clearInterval(drip))
    })
    const result = await run(server, { timeout, amount: 1 })
    t.strictSame(result.errorCodes, { AC_TIMEOUT: 1 })
    t.ok(result.throughput.total > head.length, 'although it is alive')
    conserves(t, result)
  })

  t.test('waits for an answer that trickles within the timeout', async t => {
    const server = await rawServer(t, connection => {
      let sent = 0
      const drip = setInterval(() => {
        connection.send(answer('drop')[sent])
        if (++sent === answer('drop').length) clearInterval(drip)
      }, 1)
    })
    const result = await run(server, { amount: 2 })
    t.equal(result.fates.completed, 2)
    t.equal(result.throughput.total, 2 * answer('drop').length)
    conserves(t, result)
  })

  t.test('times out one connection and leaves the others alone', async t => {
    const server = await rawServer(t, [() => {}, answer()])
    const result = await run(server, { timeout, connections: 3, amount: 30 })
    t.strictSame(result.fates, { sent: 30, completed: 29, timedOut: 1, failed: 0, abandoned: 0 })
    conserves(t, result)
  })
})

t.test('large bodies', async t => {
  const body = randomFillSync(Buffer.alloc(1024 * 1024))
  const digest = bytes => createHash('sha256').update(bytes).digest('hex')

  t.test('arrive whole at a server that reads slowly', async t => {
    const server = await rawServer(t, answer(), {
      onConnection ({ socket }) {
        socket.on('data', () => {
          socket.pause()
          setTimeout(() => socket.resume(), 1)
        })
      }
    })
    const result = await run(server, { method: 'POST', body, pipelining: 4, amount: 8 })
    t.equal(server.connections.length, 1)
    t.strictSame(server.requests.map(({ body }) => digest(body)), Array(8).fill(digest(body)))
    t.equal(result.fates.completed, 8)
    conserves(t, result)
  })

  t.test('wait until the server reads: a full socket is not written to', async t => {
    const server = await rawServer(t, answer(), { onConnection: ({ socket }) => socket.pause() })
    const result = await run(server, { method: 'PUT', body, pipelining: 100, duration: 0.2 })
    t.equal(server.requests.length, 0)
    // What the kernel buffers is the system's to choose, but it is far from 100 MB.
    t.ok(result.fates.sent < 50, `${result.fates.sent} of 100 were handed to the socket`)
    t.equal(result.fates.abandoned, result.fates.sent)
    conserves(t, result)
  })

  t.test('of answers are counted to the byte', async t => {
    const large = answer('x'.repeat(5_000_000))
    const server = await rawServer(t, large)
    const result = await run(server, { pipelining: 2, amount: 6 })
    t.equal(result.throughput.total, 6 * large.length)
    conserves(t, result)
  })

  t.test('lose nothing when the server answers before it has read, and closes', async t => {
    const server = await rawServer(t, () => {}, {
      onConnection (connection) {
        connection.socket.pause()
        connection.send(`HTTP/1.1 413 Too Large\r\n${CLOSE}Content-Length: 0\r\n\r\n`)
      }
    })
    const result = await run(server, { method: 'POST', body, amount: 3 })
    t.strictSame(result.statusCodeStats, { 413: { count: 3 } })
    conserves(t, result)
  })
})

t.test('the end of a run', async t => {
  t.test('comes with stop(), and abandons what is in flight', async t => {
    const server = await rawServer(t, () => {})
    const instance = run(server, { connections: 3, pipelining: 4, duration: 1000 })
    await server.seen(12)
    instance.stop()
    const result = await instance
    t.strictSame(result.fates, { sent: 12, completed: 0, timedOut: 0, failed: 0, abandoned: 12 })
    t.equal(result.errors, 0)
    conserves(t, result)
  })

  t.test('comes with stop() before anything was sent', async t => {
    const server = await rawServer(t, answer())
    const instance = run(server, { duration: 1000 })
    instance.stop()
    const result = await instance
    t.equal(result.fates.completed, 0)
    conserves(t, result)
  })

  t.test('comes with stop() while it waits to reconnect', async t => {
    const instance = run({ url: 'http://127.0.0.1:1/' }, { connections: 3, duration: 1000 })
    let errors = 0
    instance.on('reqError', () => { if (++errors === 5) instance.stop() })
    const result = await instance
    t.ok(result.errors >= 5)
    conserves(t, result, { neverSent: result.errors })
  })

  t.test('comes with stop() inside a response listener: no response after it', async t => {
    const server = await rawServer(t, inRounds(4))
    const instance = run(server, { connections: 2, pipelining: 4, duration: 1000 })
    let responses = 0
    instance.on('response', () => {
      responses++
      instance.stop()
    })
    const result = await instance
    t.equal(responses, 1)
    t.equal(result.fates.completed, 1)
    t.equal(result.fates.abandoned, result.fates.sent - 1)
    conserves(t, result)
  })

  t.test('comes with stop() inside the listener of a response that ends with the connection', async t => {
    const server = await rawServer(t, (connection, { index }) => { if (index === 0) connection.send('HTTP/1.1 200 OK\r\n\r\nbody').end() })
    const instance = run(server, { pipelining: 3, duration: 1000 })
    instance.on('response', () => instance.stop())
    const result = await instance
    t.strictSame(result.fates, { sent: 3, completed: 1, timedOut: 0, failed: 0, abandoned: 2 })
    conserves(t, result)
  })

  t.test('comes with stop() inside an error listener: what is behind is abandoned', async t => {
    const server = await rawServer(t, (connection, { index }) => { if (index === 0) connection.end() })
    const instance = run(server, { pipelining: 3, duration: 1000 })
    instance.on('reqError', () => instance.stop())
    const result = await instance
    t.strictSame(result.fates, { sent: 3, completed: 0, timedOut: 0, failed: 1, abandoned: 2 })
    conserves(t, result)
  })

  t.test('comes with bailout in the middle of a pipeline: an abandoned request reports no error', async t => {
    const server = await rawServer(t, (connection, { index }) => { if (index === 0) connection.end() })
    const instance = run(server, { pipelining: 5, duration: 1000, bailout: 2 })
    let errors = 0
    instance.on('reqError', () => errors++)
    const result = await instance
    t.strictSame(result.fates, { sent: 5, completed: 0, timedOut: 0, failed: 2, abandoned: 3 })
    t.equal(errors, 2)
    conserves(t, result)
  })

  t.test('comes with the duration, and abandons what is in flight', async t => {
    const server = await rawServer(t, (connection, { index }) => { if (index < 10) connection.send(answer()) })
    const result = await run(server, { connections: 2, pipelining: 2, duration: 0.5 })
    t.strictSame(result.fates, { sent: 24, completed: 20, timedOut: 0, failed: 0, abandoned: 4 })
    t.ok(result.duration >= 0.5)
    conserves(t, result)
  })

  t.test('leaves no connection open', async t => {
    const server = await rawServer(t, answer())
    await run(server, { connections: 5, duration: 0.1 })
    await Promise.all(server.connections.map(({ socket }) => socket.destroyed || new Promise(resolve => socket.once('close', resolve))))
    t.equal(server.connections.length, 5)
  })
})

t.test('listeners', async t => {
  t.test('are told of every response, with its status, size and time', async t => {
    const bytes = 'HTTP/1.1 100 Continue\r\n\r\n' + answer('hello')
    const server = await rawServer(t, bytes)
    const instance = run(server, { connections: 2, pipelining: 3, amount: 20 })
    const seen = []
    instance.on('response', (client, status, size, ms) => seen.push({ status, size, positive: ms > 0 }))
    const result = await instance
    t.strictSame(seen, Array(20).fill({ status: 200, size: bytes.length, positive: true }))
    conserves(t, result)
  })

  t.test('that are added late are told of what comes after', async t => {
    let release
    const server = await rawServer(t, (connection, { index }) => {
      if (index < 4) connection.send(answer())
      else if (index === 4) release = () => connection.send(answer())
      else if (index < 8) connection.send(answer())
      else connection.end()
    })
    const instance = run(server, { method: 'POST', amount: 9 })
    await server.seen(5)
    const told = []
    instance.on('response', () => told.push('response'))
    instance.on('reqError', error => told.push(error.code))
    setImmediate(() => release())
    const result = await instance
    t.strictSame(told, [...Array(4).fill('response'), 'AC_CLOSED'])
    t.equal(result.fates.completed, 8)
    conserves(t, result)
  })

  t.test('that are removed are told no more', async t => {
    const server = await rawServer(t, answer())
    const instance = run(server, { amount: 10 })
    let responses = 0
    instance.on('response', function listener () {
      if (++responses === 3) instance.off('response', listener)
    })
    const result = await instance
    t.equal(responses, 3)
    conserves(t, result)
  })
})

t.test('addresses', async t => {
  t.test('several URLs share the connections', async t => {
    const [one, two] = [await rawServer(t, answer()), await rawServer(t, answer())]
    const result = await autocannon({ url: [one.url + 'a', two.url + 'b?c'], connections: 4, amount: 20 })
    t.strictSame([one, two].map(({ connections }) => connections.length), [2, 2])
    t.strictSame([one, two].map(({ requests }) => requests.length), [10, 10])
    t.ok(one.requests.every(({ head }) => head.startsWith(`GET /a HTTP/1.1\r\nHost: ${new URL(one.url).host}\r\n`)))
    t.ok(two.requests.every(({ head }) => head.startsWith(`GET /b?c HTTP/1.1\r\nHost: ${new URL(two.url).host}\r\n`)))
    conserves(t, result)
  })

  t.test('one of several URLs may be dead', async t => {
    const server = await rawServer(t, answer())
    const result = await autocannon({ url: ['http://127.0.0.1:1/', server.url], connections: 2, amount: 10 })
    t.equal(result.fates.completed, 5)
    t.strictSame(result.errorCodes, { ECONNREFUSED: 5 })
    conserves(t, result, { neverSent: 5 })
  })

  t.test('a Unix socket is used with the Host and path of the URL', { skip: process.platform === 'win32' }, async t => {
    const path = join(shortFolder(t), 'raw.sock')
    const server = await rawServer(t, answer('hi'), { path })
    const result = await autocannon({ url: 'http://example.org:8080/x', socketPath: path, connections: 2, pipelining: 5, amount: 21 })
    t.equal(result.fates.completed, 21)
    t.equal(result.socketPath, path)
    t.ok(server.requests.every(({ head }) => head.startsWith('GET /x HTTP/1.1\r\nHost: example.org:8080\r\n')))
    conserves(t, result)
  })

  t.test('localhost is found whichever family it listens on', async t => {
    const server = await rawServer(t, answer())
    const result = await run({ url: server.url.replace('127.0.0.1', 'localhost') }, { amount: 5 })
    t.equal(result.fates.completed, 5)
    conserves(t, result)
  })
})
