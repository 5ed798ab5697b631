'use strict'

// Servers of HTTP/2 on real sockets that flood, never stop, never read, never begin, or go away again and again: the run ends in time, its
// memory stays, what failed has a name, and each request one fate.
//
// What each frame means, and each breach of the protocol, is in test/protocols/http2/peer.test.js; random conversations are in
// test/protocols/http2/conversations.test.js.

const t = require('tap')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const tls = require('node:tls')
const { once } = require('node:events')
const autocannon = require('../..')
const { cli } = require('../helpers/processes/cli')
const { conserves } = require('../helpers/results/conservation')
const { Http2Server, block, frame } = require('../helpers/servers/http2-server')

const SETTINGS = frame(4, 0, 0)
const OK = block([[':status', '200']])
const PING = frame(6, 0, 0, 'abcdefgh')
const TLS = Object.fromEntries(['key', 'cert'].map(name => [name, fs.readFileSync(path.join(__dirname, `../fixtures/tls/${name}.pem`))]))

const u32 = number => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(number); return bytes }
const last = id => frame(1, 5, id, OK)
const head = id => frame(1, 4, id, OK)

/**
 * @param {(server: Http2Server, socket: net.Socket, index: number) => void} onConnection the server's end of it, which reads requests
 * @param {{ onRequest?: (request: { id: number }, server: Http2Server, socket: net.Socket) => void, secure?: tls.TlsOptions }} [options]
 */
async function lying (t, onConnection, { onRequest = () => {}, secure } = {}) {
  const sockets = new Set()
  const servers = []
  const accept = socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const server = new Http2Server(socket)
    servers.push(server)
    socket.on('data', bytes => {
      server.receive(bytes)
      for (const request of server.waiting.splice(0)) onRequest(request, server, socket)
    })
    onConnection(server, socket, servers.length - 1)
  }
  const server = secure === undefined ? net.createServer(accept) : tls.createServer(secure, accept)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http${secure === undefined ? '' : 's'}://127.0.0.1:${server.address().port}/`, servers, arrived: () => servers.reduce((sum, { requests }) => sum + requests.length, 0) }
}

const run = ({ url }, opts) => autocannon({ url, http: '2', connections: 1, timeout: 20, ...opts })

/** Writes as long as the other side takes it. */
function forever (socket, bytes) {
  const many = Buffer.concat(Array(Math.ceil(65536 / bytes.length)).fill(bytes))
  const go = () => { while (!socket.destroyed && socket.writable && socket.write(many)); }
  socket.on('drain', go)
  go()
}

/** @returns {Promise<{ result: Record<string, any>, grown: number }>} by how much the memory outside of the heap grew at the most */
async function watched (running) {
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => { most = Math.max(most, process.memoryUsage().rss) }, 20)
  const result = await running
  clearInterval(timer)
  return { result, grown: Math.max(most, process.memoryUsage().rss) - before }
}

const MIB = 1024 * 1024

t.test('floods that never end are ended by us', async t => {
  const floods = {
    PING,
    SETTINGS,
    'empty DATA': frame(0, 0, 1),
    'early hints': frame(1, 4, 1, block([[':status', '103']])),
    'unknown frames': frame(0xbe, 0, 0, 'x'.repeat(100)),
    'windows, byte by byte': frame(8, 0, 1, u32(1))
  }
  for (const [what, flood] of Object.entries(floods)) {
    t.test(what, async t => {
      const server = await lying(t, (server, socket) => socket.write(SETTINGS), {
        onRequest: ({ id }, server, socket) => {
          if (id !== 1) return
          if (what === 'empty DATA') socket.write(head(1))
          forever(socket, flood)
        }
      })
      const { result, grown } = await watched(run(server, { amount: 3, pipelining: 3 }))
      t.strictSame(result.errorCodes, { AC_H2_FLOOD: 3 })
      t.ok(grown < 100 * MIB, `${grown / MIB} MiB`)
      conserves(t, result)
    })
  }

  t.test('header blocks that go on for ever', async t => {
    for (const [fragment, code] of [['', 'AC_H2_FLOOD'], ['\x88', 'AC_HEAD_SIZE'], ['\0'.repeat(16_384), 'AC_HEAD_SIZE']]) {
      const server = await lying(t, (server, socket) => socket.write(SETTINGS), { onRequest: ({ id }, server, socket) => { if (id === 1) { socket.write(frame(1, 0, 1)); forever(socket, frame(9, 0, 1, fragment)) } } })
      const { result, grown } = await watched(run(server, { amount: 1 }))
      t.strictSame(result.errorCodes, { [code]: 1 })
      t.ok(grown < 100 * MIB, `${grown / MIB} MiB`)
      conserves(t, result)
    }
  })
})

t.test('header blocks that are much longer than their bytes fail one request each, with and without checks', async t => {
  // 60,000 fields of a byte each are 3.6 MB of text; Huffman codes of 5 bits are 8 / 5 of their bytes.
  const bombs = [Buffer.concat([Buffer.from([0x88]), Buffer.alloc(60_000, 0x80 | 16)]), Buffer.concat([Buffer.from([0x88, 0, 1, 120, 0xff, 0xe1, 0xd3, 0x03]), Buffer.alloc(60_000, 0)])]
  for (const bomb of bombs) {
    for (const onResponse of [undefined, () => {}]) {
      const frames = id => [frame(1, 1, id, bomb.subarray(0, 16_384)), ...[1, 2, 3].map(n => frame(9, n === 3 ? 4 : 0, id, bomb.subarray(n * 16_384, (n + 1) * 16_384)))]
      const server = await lying(t, (server, socket) => socket.write(SETTINGS), { onRequest: ({ id }, server, socket) => socket.write(id % 4 === 1 ? Buffer.concat(frames(id)) : last(id)) })
      const { result, grown } = await watched(run(server, { amount: 40, pipelining: 2, requests: [{ onResponse }] }))
      t.match(result.fates, { completed: 20, failed: 20 })
      t.match(Object.keys(result.errorCodes), ['AC_HEAD_SIZE'])
      t.ok(grown < 100 * MIB, `${grown / MIB} MiB`)
      conserves(t, result)
    }
  }
})

t.test('an answer that never ends costs its request alone', async t => {
  const server = await lying(t, (server, socket) => socket.write(SETTINGS), {
    onRequest: ({ id }, server, socket) => {
      if (id === 1) {
        socket.write(head(1))
        let ended = false
        const more = () => { if (!ended && !socket.destroyed) { ended = server.cancelled.some(one => one?.id === 1); socket.write(frame(0, 0, 1, Buffer.alloc(16_384))); setTimeout(more, 1) } }
        more()
      } else socket.write(last(id))
    }
  })
  const { result, grown } = await watched(run(server, { amount: 50, pipelining: 2, timeout: 1 }))
  t.match(result.fates, { completed: 49, timedOut: 1, failed: 0 })
  t.equal(server.servers.length, 1)
  t.ok(grown < 100 * MIB, `${grown / MIB} MiB`)
  conserves(t, result)
})

t.test('a server that asks and asks and never reads', async t => {
  // DATA between the PINGs brings an answer forward.
  const server = await lying(t, (server, socket) => socket.write(SETTINGS), {
    onRequest: (request, server, socket) => {
      socket.pause()
      socket.write(head(1))
      forever(socket, Buffer.concat([...Array(1000).fill(PING), frame(0, 0, 1, 'x')]))
    }
  })
  const { result, grown } = await watched(run(server, { amount: 1 }))
  t.strictSame(result.errorCodes, { AC_H2_FLOOD: 1 })
  t.ok(grown < 100 * MIB, `${grown / MIB} MiB`)
  conserves(t, result)
})

t.test('a server that goes away behind every few answers', async t => {
  for (const method of ['GET', 'POST']) {
    const server = await lying(t, (server, socket) => { server.count = 0; socket.write(SETTINGS) }, {
      onRequest: ({ id }, server, socket) => {
        if (++server.count > 5) return
        socket.write(last(id))
        if (server.count === 5) socket.end(frame(7, 0, 0, Buffer.concat([u32(id), u32(0)])))
      }
    })
    const result = await run(server, { amount: 100, pipelining: 4, method, connections: 2 })
    t.match(result.fates, { completed: 100, failed: 0 })
    t.strictSame(result.errorCodes, {})
    t.ok(server.servers.length >= 20)
    conserves(t, result, { arrived: server.arrived() })
  }
})

t.test('-a against a server that refuses every connection in its greeting ends, with its reason', async t => {
  const greetings = {
    AC_H2_GOAWAY_ENHANCE_YOUR_CALM: Buffer.concat([SETTINGS, frame(7, 0, 0, Buffer.concat([u32(0), u32(11)]))]),
    AC_H2_HTTP1: Buffer.from('HTTP/1.1 505 HTTP Version Not Supported\r\nContent-Length: 0\r\n\r\n'),
    AC_TLS_ALERT: Buffer.from([21, 3, 3, 0, 2, 2, 40]),
    AC_H2_PREFACE: Buffer.from('220 mail.example ESMTP\r\n'),
    AC_H2_FRAME_SIZE: frame(4, 0, 0, 'x')
  }
  await Promise.all(Object.entries(greetings).map(async ([code, greeting]) => {
    const server = await lying(t, (server, socket) => socket.end(greeting))
    const result = await run(server, { amount: 20, connections: 3, pipelining: 3 })
    t.strictSame(result.errorCodes, { [code]: 20 })
    t.equal(result.requests.sent, 0)
    conserves(t, result, { neverSent: 20, arrived: 0 })
  }))
})

t.test('what users see of servers that speak no HTTP/2, in one line and with exit code 1', async t => {
  const h1 = await lying(t, (server, socket) => { server.receive = () => {}; socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')) })
  const silent = await lying(t, server => { server.receive = () => {} })
  const noAlpn = await lying(t, server => { server.receive = () => {} }, { secure: TLS })
  const alert = await lying(t, server => { server.receive = () => {} }, { secure: { ...TLS, ALPNProtocols: ['http/1.1'] } })
  const plain = await lying(t, (server, socket) => { server.receive = () => {}; socket.end(SETTINGS) })
  await Promise.all([
    [h1.url, 'AC_H2_HTTP1', 'speaks HTTP/1, not HTTP/2'],
    [silent.url, 'AC_H2_SILENT', 'it takes connections and does not begin HTTP/2'],
    [noAlpn.url, 'AC_H2_ALPN', 'speaks HTTP/1, not HTTP/2'],
    [alert.url, 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', 'speaks HTTP/1, not HTTP/2'],
    [plain.url.replace('http:', 'https:'), 'ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS. Try http://']
  ].map(async ([url, code, words]) => {
    const { code: exit, stderr } = await cli(['--http2', '-c', '1', '-a', '2', '-t', '1', '--no-progress', url])
    t.equal(exit, 1)
    t.match(stderr, new RegExp(`\\n2 errors:\\n {2}2 × ${code}: `), stderr)
    t.equal(stderr.match(/(?:no response from|the server at) (.*?)\/?(?::| speaks)/g)?.length, 1, stderr)
    t.match(stderr, words)
  }))
})

t.test('over TLS, an answer that is cut, and a connection that is broken off, are told apart', async t => {
  const secure = { ...TLS, ALPNProtocols: ['h2'] }
  const server = await lying(t, (server, socket) => socket.write(SETTINGS), {
    secure,
    onRequest: ({ id }, server, socket) => {
      if (id < 5) socket.write(last(id))
      else socket.end(head(id))
    }
  })
  const result = await run(server, { amount: 9 })
  t.match(result.fates, { completed: 6, failed: 3 })
  t.strictSame(result.errorCodes, { AC_TRUNCATED: 3 })
  conserves(t, result)
})
