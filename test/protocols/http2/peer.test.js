'use strict'

// What a server may do on a connection of HTTP/2 and what it may not, frame by frame: what each frame means for the requests in
// flight, whom it costs what, and which name the error has. The server is in the hands of the test, and nothing of it is ours.
//
// The frames themselves are in frames.test.js, header blocks in header-block.test.js. Sockets are in test/hostile/http2.test.js.

const t = require('tap')
const { http2 } = require('../../../lib/protocols/http2/peer')
const { CODES } = require('../../../lib/core/errors')
const { conserves } = require('../../helpers/results/conservation')
const { Http2Server, block, frame } = require('../../helpers/servers/http2-server')
const { nobody } = require('../../engine/helpers/fake-load')
const { playServers } = require('../../engine/helpers/played-servers')

const DATA = 0
const HEADERS = 1
const PRIORITY = 2
const RST_STREAM = 3
const SETTINGS = 4
const PUSH_PROMISE = 5
const PING = 6
const GOAWAY = 7
const WINDOW_UPDATE = 8
const CONTINUATION = 9
const END_STREAM = 1
const ACK = 1
const END_HEADERS = 4
const PADDED = 8

const NO_ERROR = 0
const REFUSED_STREAM = 7
const CANCEL = 8
const ENHANCE_YOUR_CALM = 11

const play = (opts, observer = nobody, protocol = {}) => playServers({ edge: () => ({ protocol: { ...http2(), ...protocol } }), Server: Http2Server }, opts, observer)

const u32 = (...numbers) => Buffer.concat(numbers.map(number => { const four = Buffer.alloc(4); four.writeUInt32BE(number); return four }))
const of = (...list) => Buffer.concat(list.map(([setting, value]) => Buffer.concat([Buffer.from([setting >> 8, setting & 255]), u32(value)])))
const settings = (...list) => frame(SETTINGS, 0, 0, of(...list))
const goaway = (last, code = NO_ERROR) => frame(GOAWAY, 0, 0, u32(last, code))
const reset = (id, code) => frame(RST_STREAM, 0, id, u32(code))
const update = (id, increment) => frame(WINDOW_UPDATE, 0, id, u32(increment))
const head = (id, ...fields) => frame(HEADERS, END_HEADERS, id, block([[':status', '200'], ...fields]))
const last = (id, ...fields) => frame(HEADERS, END_HEADERS | END_STREAM, id, block([[':status', '200'], ...fields]))
const body = (id, text) => frame(DATA, 0, id, text)
const end = (id, text = '') => frame(DATA, END_STREAM, id, text)

/** As one read, or as many as the buffer of reads has room for. */
function say ({ socket }, ...frames) {
  const bytes = Buffer.concat(frames)
  for (let at = 0; at < bytes.length && !socket.destroyed; at += 65536) socket.read(bytes.subarray(at, at + 65536))
}

/** Answers all that waits, and what comes then. */
function answerAll (log, server) {
  for (let n = 0; server.waiting.length > 0 && n < 1000; n++) {
    for (const { id } of [...server.waiting]) {
      if (server.socket.destroyed) return
      say(server, last(id))
      server.waiting = server.waiting.filter(one => one.id !== id)
    }
    log.time.pass(2)
  }
}

/**
 * What the run came to.
 * @param {{ neverSent?: number, unread?: number }} [expected] how many requests did not arrive with all of their body: only others are counted by the servers
 */
function settle (t, log, { neverSent = 0, unread = 0 } = {}) {
  log.generator.stop()
  const arrived = log.servers.reduce((sum, { requests }) => sum + requests.length, unread)
  conserves(t, log.result(), { neverSent, arrived })
  return log.total
}

/** What we have sent of a kind, as [flags, stream, payload]. */
const sent = (server, type) => server.others.filter(other => other[0] === type).map(([, flags, stream, payload]) => [flags, stream, payload])

/** A server that breaks the protocol with those bytes while two requests are in flight, of which it has answered none, or that one. */
const BREACHES = {
  'SETTINGS on a stream': [frame(SETTINGS, 0, 1, of([4, 100])), 'AC_H2_PROTOCOL', 1],
  'SETTINGS of 5 bytes': [frame(SETTINGS, 0, 0, Buffer.alloc(5)), 'AC_H2_FRAME_SIZE', 6],
  'an ACK of SETTINGS with settings': [frame(SETTINGS, ACK, 0, of([4, 100])), 'AC_H2_FRAME_SIZE', 6],
  'SETTINGS_ENABLE_PUSH of a server': [settings([2, 1]), 'AC_H2_PROTOCOL', 1],
  'a window of 2^31 for streams': [settings([4, 2 ** 31]), 'AC_H2_FLOW_CONTROL', 3],
  'frames of less than 16384 bytes': [settings([5, 16383]), 'AC_H2_PROTOCOL', 1],
  'frames of more than 2^24 − 1 bytes': [settings([5, 2 ** 24]), 'AC_H2_PROTOCOL', 1],
  'a PING on a stream': [frame(PING, 0, 1, Buffer.alloc(8)), 'AC_H2_PROTOCOL', 1],
  'a PING of 7 bytes': [frame(PING, 0, 0, Buffer.alloc(7)), 'AC_H2_FRAME_SIZE', 6],
  'a PRIORITY of 4 bytes': [frame(PRIORITY, 0, 1, Buffer.alloc(4)), 'AC_H2_FRAME_SIZE', 6],
  'a RST_STREAM of 3 bytes': [frame(RST_STREAM, 0, 1, Buffer.alloc(3)), 'AC_H2_FRAME_SIZE', 6],
  'a WINDOW_UPDATE of 5 bytes': [frame(WINDOW_UPDATE, 0, 1, Buffer.alloc(5)), 'AC_H2_FRAME_SIZE', 6],
  'a GOAWAY of 7 bytes': [frame(GOAWAY, 0, 0, Buffer.alloc(7)), 'AC_H2_FRAME_SIZE', 6],
  'a GOAWAY on a stream': [frame(GOAWAY, 0, 1, u32(0, 0)), 'AC_H2_PROTOCOL', 1],
  'a window of the connection over 2^31 − 1': [update(0, 2 ** 31 - 1), 'AC_H2_FLOW_CONTROL', 3],
  'a window of the connection that grows by 0': [update(0, 0), 'AC_H2_PROTOCOL', 1],
  'a push': [frame(PUSH_PROMISE, END_HEADERS, 1, Buffer.concat([u32(2), block([[':method', 'GET']])])), 'AC_H2_PUSH', 1],
  'a frame of 16385 bytes': [body(1, Buffer.alloc(16385)), 'AC_H2_FRAME_SIZE', 6],
  'the head of a frame of 16 MB': [Buffer.from([255, 255, 255, 0xf0, 0, 0, 0, 0, 1]), 'AC_H2_FRAME_SIZE', 6],
  'HEADERS on the connection': [last(0), 'AC_H2_PROTOCOL', 1],
  'HEADERS on the connection that are to go on': [frame(HEADERS, 0, 0, block([[':status', '200']])), 'AC_H2_PROTOCOL', 1],
  'DATA on the connection': [end(0, 'x'), 'AC_UNREQUESTED', 1],
  'HEADERS of a stream that is not opened': [last(5), 'AC_UNREQUESTED', 1],
  'DATA of a stream that is not opened': [end(5), 'AC_UNREQUESTED', 1],
  'RST_STREAM of a stream that is not opened': [reset(5, CANCEL), 'AC_H2_PROTOCOL', 1],
  'RST_STREAM on the connection': [reset(0, CANCEL), 'AC_H2_PROTOCOL', 1],
  'WINDOW_UPDATE of a stream that is not opened': [update(5, 1), 'AC_H2_PROTOCOL', 1],
  'HEADERS of a stream of the server': [last(2), 'AC_UNREQUESTED', 1],
  'RST_STREAM of a stream of the server': [reset(2, CANCEL), 'AC_H2_PROTOCOL', 1],
  'padding longer than HEADERS': [frame(HEADERS, END_HEADERS | PADDED, 1, Buffer.from([2, 0x88])), 'AC_H2_PROTOCOL', 1],
  'padded HEADERS without a length of it': [frame(HEADERS, END_HEADERS | PADDED, 1), 'AC_H2_PROTOCOL', 1],
  'HEADERS with half of a priority': [frame(HEADERS, END_HEADERS | 0x20, 1, Buffer.alloc(4)), 'AC_H2_PROTOCOL', 1],
  'padding longer than DATA': [Buffer.concat([head(1), frame(DATA, PADDED, 1, Buffer.from([1]))]), 'AC_H2_PROTOCOL', 1],
  'padded DATA without a length of it': [Buffer.concat([head(1), frame(DATA, PADDED, 1)]), 'AC_H2_PROTOCOL', 1],
  'CONTINUATION of nothing': [frame(CONTINUATION, END_HEADERS, 1, block([[':status', '200']])), 'AC_H2_PROTOCOL', 1],
  'CONTINUATION of another stream': [Buffer.concat([frame(HEADERS, 0, 1), frame(CONTINUATION, END_HEADERS, 3)]), 'AC_H2_PROTOCOL', 1],
  'a PING inside a header block': [Buffer.concat([frame(HEADERS, 0, 1), frame(PING, 0, 0, Buffer.alloc(8))]), 'AC_H2_PROTOCOL', 1],
  'DATA inside a header block': [Buffer.concat([frame(HEADERS, 0, 1), end(3)]), 'AC_H2_PROTOCOL', 1],
  'an unknown frame inside a header block': [Buffer.concat([frame(HEADERS, 0, 1), frame(99, 0, 0)]), 'AC_H2_PROTOCOL', 1],
  'a header block of more than 64 KiB': [Buffer.concat([frame(HEADERS, 0, 1, Buffer.alloc(16384)), ...Array.from({ length: 4 }, () => frame(CONTINUATION, 0, 1, Buffer.alloc(16384)))]), 'AC_HEAD_SIZE', ENHANCE_YOUR_CALM],
  'a reference to a dynamic table of 0': [frame(HEADERS, END_HEADERS, 1, Buffer.from([0x80 | 62])), 'AC_H2_COMPRESSION', 9],
  'a header block that is cut': [frame(HEADERS, END_HEADERS, 1, Buffer.from([0x88, 0, 5, 97])), 'AC_H2_COMPRESSION', 9],
  'a dynamic table of 4096': [frame(HEADERS, END_HEADERS, 1, Buffer.from([0x3f, 0xe1, 0x1f, 0x88])), 'AC_H2_COMPRESSION', 9],
  'a header block that is cut, of a stream that is gone': [Buffer.concat([last(1), frame(HEADERS, END_HEADERS, 1, Buffer.from([0x88, 0, 5, 97]))]), 'AC_H2_COMPRESSION', 9, 1],
  'HEADERS of a stream that has ended': [Buffer.concat([last(1), last(1)]), 'AC_H2_STREAM_CLOSED', 5, 1],
  'DATA of a stream that has ended': [Buffer.concat([last(1), end(1, 'x')]), 'AC_H2_STREAM_CLOSED', 5, 1],
  'DATA of a stream that the server has reset': [Buffer.concat([head(1), reset(1, CANCEL), end(1, 'x')]), 'AC_H2_STREAM_CLOSED', 5, 0, 'AC_H2_RESET_CANCEL'],
  'an endless header block of empty CONTINUATION': [Buffer.concat([frame(HEADERS, 0, 1), ...Array.from({ length: 10_001 }, () => frame(CONTINUATION, 0, 1))]), 'AC_H2_FLOOD', ENHANCE_YOUR_CALM]
}

/** Frames that bring no answer forward: as many as you like is a flood. */
const FLOODS = {
  PING: frame(PING, 0, 0, 'abcdefgh'),
  'answers to PING': frame(PING, ACK, 0, 'abcdefgh'),
  SETTINGS: settings(),
  'answers to SETTINGS': frame(SETTINGS, ACK, 0),
  'SETTINGS, all of which change all windows': settings(...Array.from({ length: 100 }, (_, i) => [4, i])),
  'a byte more of the window': update(0, 1),
  'a byte more of the window of a stream': update(1, 1),
  PRIORITY: frame(PRIORITY, 0, 1, Buffer.alloc(5)),
  'unknown frames': frame(0xbe, 255, 0, 'x'),
  'unknown frames of streams': frame(0xbe, 255, 2 ** 31 - 1, ''),
  'empty DATA': body(1, ''),
  'early hints': frame(HEADERS, END_HEADERS, 3, block([[':status', '103']])),
  'RST_STREAM of a stream that is gone': reset(1, CANCEL),
  'windows of a stream that is gone': update(1, 2 ** 20),
  GOAWAY: goaway(2 ** 31 - 1)
}

t.test('a server that breaks the protocol is told so, and what was in flight has failed by that name', async t => {
  for (const [what, [bytes, code, h2Code, completed = 0, other]] of Object.entries(BREACHES)) {
    for (const cut of ['whole', 'byte by byte']) {
      if (cut !== 'whole' && bytes.length > 5000) continue
      t.test(`${what}, ${cut}`, async t => {
        const log = play({ amount: 2 + completed, pipelining: 2, duration: 100 })
        const server = log.start()
        if (cut === 'whole') say(server, bytes)
        else for (const byte of bytes) say(server, Buffer.from([byte]))
        t.ok(server.socket.destroyed, 'the connection ends')
        t.strictSame(sent(server, GOAWAY).map(([, stream, payload]) => [stream, payload.readUInt32BE(4)]), [[0, h2Code]])
        t.ok(CODES[code])
        const total = settle(t, log)
        t.equal(total.completed, completed)
        t.equal(total[code], total.failed - (other === undefined ? 0 : total[other]))
      })
    }
  }
})

t.test('floods end by name, soon and with little kept', async t => {
  for (const [what, bytes] of Object.entries(FLOODS)) {
    t.test(what, async t => {
      const log = play({ amount: 3, pipelining: 2, duration: 100 })
      const server = log.start()
      say(server, ...what.includes('gone') ? [last(1), last(3)] : [head(1)])
      const many = Buffer.concat(Array(100).fill(bytes))
      for (let floods = 0; !server.socket.destroyed && floods < 101; floods++) say(server, many)
      t.ok(server.socket.destroyed, 'the connection ends')
      const total = settle(t, log)
      t.equal(total.AC_H2_FLOOD, total.failed, JSON.stringify(total))
      t.ok(total.failed > 0)
    })
  }

  t.test('but frames beside answers are none', async t => {
    const log = play({ amount: 300, pipelining: 2, duration: 100 })
    const server = log.start()
    for (let n = 0; n < 150; n++) {
      log.time.pass(2)
      for (const { id } of server.waiting.splice(0)) say(server, ...Array(100).fill(FLOODS.PING), settings(), frame(0xbe, 0, 0), last(id))
    }
    t.equal(settle(t, log).completed, 300)
  })
})

t.test('a peer that sends and never reads is a flood, however much it answers', async t => {
  const log = play({ amount: 2, pipelining: 2, duration: 100 })
  const server = log.start()
  say(server, head(1))
  server.socket.writableLength = 1
  const some = Buffer.concat([...Array(1000).fill(FLOODS.PING), body(1, 'x')])
  let rounds = 0
  for (; !server.socket.destroyed && rounds < 1000; rounds++) say(server, some)
  t.ok(rounds * 17_000 < 2 * 1024 * 1024, `${rounds} times 17 kB`)
  t.match(settle(t, log), { AC_H2_FLOOD: 2 })
})

t.test('a peer that is slow to read a large body is none', async t => {
  const log = play({ amount: 1, method: 'PUT', body: 'x'.repeat(5_000_000), duration: 100 })
  const server = log.start(of([4, 2 ** 30]))
  say(server, update(0, 2 ** 30))
  server.socket.writableLength = 5_000_000
  // It says of each frame that it has been read.
  for (let n = 0; n < 6; n++) say(server, ...Array(1000).fill(update(0, 1024)), ...Array(1000).fill(update(1, 1024)), FLOODS.PING)
  say(server, last(1))
  t.match(settle(t, log), { completed: 1, failed: 0 })
})

t.test('the greeting', async t => {
  const failing = async (t, code, ...parts) => {
    const log = play({ amount: 1 })
    log.generator.start()
    const [socket] = log.sockets
    socket.write = () => true
    socket.ready()
    for (const part of parts) if (!socket.destroyed) socket.read(part)
    t.ok(socket.destroyed)
    t.strictSame(log.total[code] ?? (log.generator.stop(), log.total[code]), 1, code)
    conserves(t, log.result(), { neverSent: 1, arrived: 0 })
  }
  for (const [what, code, bytes] of [
    ['HTTP/1.1', 'AC_H2_HTTP1', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a TLS alert', 'AC_TLS_ALERT', Buffer.from([21, 3, 3, 0, 2, 2, 40])],
    ['another protocol', 'AC_H2_PREFACE', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')],
    ['zeros', 'AC_H2_PREFACE', Buffer.alloc(100)],
    ['a PING', 'AC_H2_PREFACE', FLOODS.PING],
    ['an ACK of SETTINGS', 'AC_H2_PREFACE', frame(SETTINGS, ACK, 0)],
    ['a GOAWAY', 'AC_H2_PREFACE', goaway(0)],
    ['DATA', 'AC_H2_PREFACE', end(1, 'x')],
    ['SETTINGS with a window of 2^31', 'AC_H2_FLOW_CONTROL', settings([4, 2 ** 31])],
    ['an answer behind SETTINGS for 0 streams', 'AC_UNREQUESTED', Buffer.concat([settings([3, 0]), last(1)])],
    ['a GOAWAY behind SETTINGS', 'AC_H2_GOAWAY_ENHANCE_YOUR_CALM', Buffer.concat([settings(), goaway(0, ENHANCE_YOUR_CALM)])],
    ['an orderly GOAWAY behind SETTINGS', 'AC_CLOSED', Buffer.concat([settings(), goaway(0)])]
  ]) {
    t.test(`that is ${what}`, async t => {
      await failing(t, code, bytes)
      if (!/GOAWAY behind/.test(what)) await failing(t, code, ...Array.from(bytes, byte => Buffer.from([byte])))
    })
  }

  t.test('may say that there is no stream yet, and later that there are some', async t => {
    const log = play({ amount: 4, pipelining: 4 })
    const server = log.start(of([3, 0]))
    say(server, frame(SETTINGS, ACK, 0), FLOODS.PING)
    t.equal(server.requests.length, 0)
    say(server, settings([3, 2]))
    t.equal(server.requests.length, 2)
    answerAll(log, server)
    t.match(settle(t, log), { completed: 4, failed: 0 })
  })
})

t.test('an answer', async t => {
  const good = (what, frames, expected = { completed: 1, failed: 0 }, opts = {}) => t.test(what, async t => {
    for (const cut of [false, true]) {
      const log = play({ amount: 1, ...opts })
      const server = log.start()
      for (const part of cut ? Array.from(Buffer.concat(frames), byte => Buffer.from([byte])) : [Buffer.concat(frames)]) say(server, part)
      t.match(settle(t, log), expected)
    }
  })
  const lost = { completed: 0, failed: 1, AC_H2_MALFORMED: 1 }
  good('of a head', [last(1)])
  good('of a head and empty DATA', [head(1), end(1)])
  good('that is padded, head and body', [frame(HEADERS, END_HEADERS | PADDED, 1, Buffer.concat([Buffer.from([3]), block([[':status', '200'], ['content-length', '2']]), Buffer.alloc(3)])), frame(DATA, PADDED | END_STREAM, 1, Buffer.from([4, 104, 105, 0, 0, 0, 0]))])
  good('whose body is nothing but padding', [head(1, ['content-length', '0']), frame(DATA, PADDED | END_STREAM, 1, Buffer.from([2, 0, 0]))])
  good('with a priority', [frame(HEADERS, END_HEADERS | END_STREAM | 0x20, 1, Buffer.concat([Buffer.alloc(5), block([[':status', '200']])]))])
  good('in HEADERS of 0 bytes and CONTINUATION', [frame(HEADERS, END_STREAM, 1), frame(CONTINUATION, 0, 1), frame(CONTINUATION, END_HEADERS, 1, block([[':status', '200']]))])
  good('with trailers', [head(1), body(1, 'x'), frame(HEADERS, END_HEADERS | END_STREAM, 1, block([['grpc-status', '0']]))])
  good('with trailers of no field', [head(1), body(1, 'x'), frame(HEADERS, END_HEADERS | END_STREAM, 1)])
  good('behind early hints', [frame(HEADERS, END_HEADERS, 1, block([[':status', '103'], ['link', '</a>']])), frame(HEADERS, END_HEADERS, 1, block([[':status', '100']])), last(1)])
  good('whose stream has the reserved bit', [Buffer.concat([last(1).subarray(0, 5), Buffer.from([0x80]), last(1).subarray(6)])])
  good('to HEAD that says how long it would be', [last(1, ['content-length', '5'])], undefined, { method: 'HEAD' })
  good('of 304 that says how long it would be', [frame(HEADERS, END_HEADERS | END_STREAM, 1, block([[':status', '304'], ['content-length', '5']]))])
  good('that the server resets behind its end', [head(1), end(1, 'x'), reset(1, NO_ERROR)])
  good('with DATA in front of the head', [end(1, 'x')], lost)
  good('with no status', [frame(HEADERS, END_HEADERS | END_STREAM, 1, block([['server', 'x']]))], lost)
  good('of no field', [frame(HEADERS, END_HEADERS | END_STREAM, 1)], lost)
  good('with two statuses', [frame(HEADERS, END_HEADERS | END_STREAM, 1, block([[':status', '200'], [':status', '200']]))], lost)
  good('with two heads', [head(1), head(1), end(1)], lost)
  good('with trailers that do not end it', [head(1), body(1, 'x'), frame(HEADERS, END_HEADERS, 1, block([['a', 'b']])), end(1)], lost)
  good('with a status in its trailers', [head(1), frame(HEADERS, END_HEADERS | END_STREAM, 1, block([[':status', '200']]))], lost)
  good('of 101', [frame(HEADERS, END_HEADERS, 1, block([[':status', '101']]))], lost)
  good('that is nothing but an interim one', [frame(HEADERS, END_HEADERS | END_STREAM, 1, block([[':status', '103']]))], lost)
  good('with a header of a connection', [last(1, ['connection', 'close'])], lost)
  good('with a length that is longer than its body', [head(1, ['content-length', '3']), end(1, 'hi')], lost)
  good('with a length that is shorter than its body', [head(1, ['content-length', '1']), end(1, 'hi')], lost)
  good('with a length and no body', [last(1, ['content-length', '1'])], lost)
  good('with two lengths', [last(1, ['content-length', '0'], ['content-length', '0'])], { failed: 1, AC_CONTENT_LENGTH: 1 })

  t.test('that is malformed costs one request: what is still on its way means nothing, and the next one goes', async t => {
    const log = play({ amount: 6, pipelining: 2 })
    const server = log.start()
    say(server, head(1, ['connection', 'close']), ...Array(20_000).fill(body(1, 'x')), end(1))
    t.equal(server.socket.destroyed, false)
    t.strictSame(sent(server, RST_STREAM), [[0, 1, u32(1)]])
    answerAll(log, server)
    t.match(settle(t, log), { completed: 5, failed: 1, AC_H2_MALFORMED: 1 })
  })

  t.test('shows its own headers to hooks, wherever others come meanwhile', async t => {
    const blocks = ['one', 'twoo', 'three', 'fourr'].map(value => block([[':status', '200'], ['x-of', value]]))
    const cut = (id, bytes) => [frame(HEADERS, 0, id, bytes.subarray(0, 5)), frame(CONTINUATION, END_HEADERS, id, bytes.subarray(5))]
    const bytes = Buffer.concat([...cut(1, blocks[0]), ...cut(3, blocks[1]), frame(HEADERS, END_HEADERS, 5, blocks[2]), frame(HEADERS, END_HEADERS, 7, blocks[3]), ...[1, 3, 5, 7].map(id => end(id, 'b'))])
    for (let at = 1; at < bytes.length; at += 3) {
      const seen = []
      const log = play({ amount: 4, pipelining: 4, requests: [{ onResponse: (status, body, context, headers) => { seen.push(headers['x-of']) } }] })
      const server = log.start()
      for (let from = 0; from < bytes.length; from += at) say(server, bytes.subarray(from, from + at))
      t.strictSame(seen, ['one', 'twoo', 'three', 'fourr'], `in reads of ${at} bytes`)
      settle(t, log)
    }
  })
})

t.test('a request that takes too long', async t => {
  t.test('is cancelled alone, in the middle of DATA too, and no byte of it goes to the one after it', async t => {
    const bodies = []
    const log = play({ pipelining: 2, amount: 4, timeout: 1, requests: [{ onResponse: (status, text) => { bodies.push(text) } }] })
    const server = log.start()
    const late = Buffer.concat([head(1), end(1, 'late')])
    say(server, late.subarray(0, -2))
    log.time.pass(1200)
    t.strictSame(sent(server, RST_STREAM), [[0, 1, u32(CANCEL)], [0, 3, u32(CANCEL)]])
    say(server, late.subarray(-2))
    for (const { id } of server.waiting) say(server, head(id), end(id, 'own'))
    t.strictSame(bodies, ['own', 'own'])
    t.match(settle(t, log), { completed: 2, timedOut: 2, failed: 0 })
  })

  t.test('is the last one of a connection that takes no more: the next connection opens', async t => {
    const log = play({ amount: 5, pipelining: 3, timeout: 1, duration: 100 })
    const server = log.start()
    log.time.pass(500)
    say(server, last(1), goaway(3))
    log.time.pass(700)
    t.ok(server.socket.destroyed)
    const next = log.ready()
    answerAll(log, next)
    t.match(settle(t, log), { completed: 3, timedOut: 2, failed: 0 })
  })

  t.test('and whose peer reads no more, ends its connection: the run by amount goes on', async t => {
    const log = play({ amount: 3, timeout: 1, duration: 1000, method: 'POST', body: 'x'.repeat(1000) })
    log.generator.start()
    let seen = 0
    for (let n = 0; n < 20 && log.ends === 0; n++) {
      for (; seen < log.sockets.length; seen++) {
        const socket = log.sockets[seen]
        // The system takes the greeting, and nothing more.
        socket.write = bytes => { socket.writableLength += bytes.length > 500 ? bytes.length : 0; return socket.writableLength === 0 }
        socket.ready()
        socket.read(settings())
      }
      log.time.pass(400)
    }
    t.equal(log.ends, 1, 'the run ends')
    t.match(settle(t, log, { unread: 3 }), { timedOut: 3 })
    t.equal(log.sockets.length, 3)
  })

  t.test('waits for a window that never opens, and those without a body do not', async t => {
    const log = play({ amount: 20, pipelining: 2, timeout: 1, duration: 100, requests: [{ method: 'POST', body: 'x'.repeat(100) }, { method: 'GET' }] })
    const server = log.start(of([4, 0]))
    for (let n = 0; n < 100; n++) {
      log.time.pass(300)
      for (const { id } of server.waiting.splice(0)) say(server, last(id))
    }
    t.equal(log.sockets.length, 1)
    t.match(settle(t, log, { unread: 10 }), { completed: 10, timedOut: 10 })
  })
})

t.test('RST_STREAM', async t => {
  const NAMES = ['', '_PROTOCOL_ERROR', '_INTERNAL_ERROR', '_FLOW_CONTROL_ERROR', '_SETTINGS_TIMEOUT', '_STREAM_CLOSED', '_FRAME_SIZE_ERROR', '_REFUSED_STREAM', '_CANCEL',
    '_COMPRESSION_ERROR', '_CONNECT_ERROR', '_ENHANCE_YOUR_CALM', '_INADEQUATE_SECURITY', '_HTTP_1_1_REQUIRED', '']
  for (let code = 0; code < NAMES.length; code++) {
    t.test(`with code ${code} fails one request before and in its answer, by its name`, async t => {
      const log = play({ amount: 12, pipelining: 3 })
      const server = log.start()
      const [a, b, c] = server.waiting.splice(0)
      say(server, head(b.id), body(b.id, 'x'), head(c.id), reset(b.id, code), end(c.id), reset(c.id, code), reset(a.id, code))
      answerAll(log, server)
      const failed = code === REFUSED_STREAM ? 1 : 2
      t.match(settle(t, log), { completed: 12 - failed, failed, [`AC_H2_RESET${NAMES[code]}`]: failed, resent: 2 - failed })
      t.equal(log.sockets.length, 1)
    })
  }

  t.test('REFUSED_STREAM for ever ends by that name', async t => {
    const log = play({ amount: 20, pipelining: 3 })
    const server = log.start()
    while (server.waiting.length > 0 && server.requests.length < 1000) say(server, reset(server.waiting.shift().id, REFUSED_STREAM))
    t.match(settle(t, log), { sent: 20, resent: 160, failed: 20, AC_H2_RESET_REFUSED_STREAM: 20 })
  })

  t.test('REFUSED_STREAM of each request once is no error, however many there are', async t => {
    const log = play({ amount: 100, pipelining: 1 })
    const server = log.start()
    for (let n = 0; n < 100; n++) {
      say(server, reset(server.waiting.shift().id, REFUSED_STREAM))
      say(server, last(server.waiting.shift().id))
      log.time.pass(2)
    }
    t.match(settle(t, log), { completed: 100, resent: 100, failed: 0 })
  })

  t.test('of a request whose body is half sent drops the rest of it', async t => {
    const log = play({ amount: 2, method: 'PUT', body: 'x'.repeat(100) })
    const server = log.start(of([4, 10]))
    say(server, reset(1, CANCEL), update(1, 90))
    say(server, update(3, 90))
    t.strictSame(server.requests.map(({ id }) => id), [3])
    answerAll(log, server)
    t.match(settle(t, log, { unread: 1 }), { completed: 1, failed: 1, AC_H2_RESET_CANCEL: 1 })
  })
})

t.test('GOAWAY', async t => {
  t.test('with an error is one, also when all requests are sent again', async t => {
    const log = play({ pipelining: 4, amount: 6 })
    const first = log.start()
    say(first, last(1), goaway(1, 2))
    const second = log.ready()
    answerAll(log, second)
    t.match(log.total, { sent: 6, completed: 6, failed: 0, neverSent: 1, AC_H2_GOAWAY_INTERNAL_ERROR: 1 })
    settle(t, log, { neverSent: 1 })
  })

  t.test('has what is above its last stream sent again on the next connection, once, and what is below answered', async t => {
    for (const method of ['GET', 'POST']) {
      for (let answered = 0; answered < 4; answered++) {
        for (const final of [0, 1, 3, 5, 7, 9, 2 ** 31 - 1]) {
          const log = play({ amount: 12, pipelining: 4, requests: Array.from({ length: 12 }, (_, i) => ({ method, path: `/${i}` })) })
          const server = log.start()
          const inFlight = server.waiting.splice(0)
          for (const { id } of inFlight.splice(0, answered)) say(server, last(id))
          say(server, goaway(final))
          const known = server.requests.length
          const done = server.requests.slice(answered).filter(({ id }) => id <= final)
          for (const { id } of done) if (!server.socket.destroyed) say(server, last(id))
          t.equal(server.requests.length, known, 'nothing more is asked there')
          t.ok(server.socket.destroyed)
          const lone = answered + done.length === 0
          log.time.pass(20)
          const next = log.ready()
          const again = lone ? [] : server.requests.filter(({ id }, i) => i >= answered && id > final).map(({ text }) => text)
          t.strictSame(next.requests.slice(0, again.length).map(({ text }) => text), again)
          answerAll(log, next)
          const total = settle(t, log)
          // A connection that brought nothing but that is no reason to try again and again.
          t.match(total, lone ? { completed: 8, failed: 4, AC_CLOSED: 4, resent: 0 } : { completed: 12, failed: 0, resent: again.length }, `${method}, ${answered} answered, last ${final}`)
        }
      }
    }
  })

  t.test('twice, first with the notice of a shutdown, then with the last stream', async t => {
    const log = play({ amount: 12, pipelining: 4 })
    const server = log.start()
    say(server, last(1), goaway(2 ** 31 - 1))
    say(server, settings([4, 100]), FLOODS.PING, frame(SETTINGS, ACK, 0))
    say(server, goaway(5), last(3))
    t.notOk(server.socket.destroyed)
    say(server, last(5))
    t.ok(server.socket.destroyed)
    const next = log.ready()
    answerAll(log, next)
    t.match(settle(t, log), { completed: 12, failed: 0, resent: server.requests.length - 3 })
  })

  t.test('with an error fails the response that has begun, and sends the rest again', async t => {
    const log = play({ amount: 12, pipelining: 4 })
    const server = log.start()
    say(server, last(1), goaway(5, 2), head(3))
    server.socket.emit('end')
    const next = log.ready()
    answerAll(log, next)
    const total = settle(t, log)
    t.match(total, { completed: 11, failed: 1, AC_TRUNCATED: 1 })
  })

  t.test('of every kind at every place of a conversation leaves every request one fate', async t => {
    for (const opts of [{}, { method: 'PUT', body: 'x'.repeat(30) }]) {
      const conversation = [last(1), head(3), body(3, 'x'), update(0, 100), end(3), head(5), frame(HEADERS, END_HEADERS | END_STREAM, 5, block([['a', 'b']])), last(7)]
      for (let at = 0; at <= conversation.length; at++) {
        for (const final of [0, 1, 3, 5, 2 ** 31 - 1]) {
          for (const code of [NO_ERROR, ENHANCE_YOUR_CALM, 99]) {
            const log = play({ amount: 10, pipelining: 4, timeout: 1, duration: 5, ...opts })
            const server = log.start(of([4, 20]))
            say(server, ...conversation.slice(0, at))
            if (!server.socket.destroyed) say(server, goaway(final, code), update(3, 100))
            if (!server.socket.destroyed) say(server, ...conversation.slice(at))
            for (let n = 0; n < 10; n++) {
              log.time.pass(700)
              if (log.sockets.at(-1) !== log.servers.at(-1).socket && log.ends === 0) log.ready()
              answerAll(log, log.servers.at(-1))
            }
            t.equal(log.ends, 1)
            const { sent, completed, timedOut, failed, abandoned } = log.total
            t.equal(sent, completed + timedOut + failed + abandoned, `behind ${at}, last ${final}, code ${code}`)
          }
        }
      }
    }
  })
})

t.test('SETTINGS_MAX_CONCURRENT_STREAMS', async t => {
  t.test('may go down, up, and down to 1 in the middle', async t => {
    const log = play({ amount: 60, pipelining: 6 })
    const server = log.start(of([3, 4]))
    t.equal(server.waiting.length, 4)
    for (const limit of [2, 1, 1, 5, 3, 100]) {
      say(server, settings([3, limit]))
      for (const { id } of server.waiting.splice(0)) say(server, last(id))
      log.time.pass(2)
      t.equal(server.waiting.length, Math.min(limit, 6))
    }
    answerAll(log, server)
    t.equal(log.sockets.length, 1)
    t.match(settle(t, log), { completed: 60, failed: 0, resent: 0 })
  })

  t.test('of 0 in the middle: what is there is answered, and the next connection goes on', async t => {
    const log = play({ amount: 12, pipelining: 3 })
    const server = log.start()
    say(server, last(1))
    log.time.pass(2)
    const inFlight = server.waiting.length
    say(server, settings([3, 0]), frame(SETTINGS, ACK, 0))
    for (const { id } of server.waiting.splice(0)) if (id > 1) say(server, FLOODS.PING, last(id))
    t.ok(inFlight > 0 && server.socket.destroyed)
    answerAll(log, log.ready())
    t.match(settle(t, log), { completed: 12, failed: 0, resent: 0 })
  })

  t.test('of 1 on the next connection, which ends as well: each request is counted as often as it was sent', async t => {
    const log = play({ amount: 12, pipelining: 4 })
    const server = log.start()
    say(server, last(1), goaway(1))
    const second = log.ready(undefined, of([3, 1]))
    t.equal(second.requests.length, 1)
    say(second, reset(1, REFUSED_STREAM))
    say(second, last(3), goaway(3))
    answerAll(log, log.ready())
    t.match(settle(t, log), { completed: 12, failed: 0 })
  })
})

t.test('windows', async t => {
  const upload = { amount: 3, method: 'PUT', body: '0123456789'.repeat(10) }
  t.test('of a byte each send the body whole', async t => {
    const log = play(upload)
    const server = log.start(of([4, 1]))
    for (let n = 0; n < 400 && log.ends === 0; n++) {
      const { next } = log.generator.connections.list[0].peer.streams
      if (server.waiting.length > 0) answerAll(log, server)
      else say(server, update(next - 2, 1))
    }
    t.strictSame(server.requests.map(({ text }) => text), Array(3).fill(`PUT / ${upload.body}`))
    t.match(settle(t, log), { completed: 3, failed: 0 })
  })

  t.test('that shrink below 0 have to grow again by as much', async t => {
    const log = play({ ...upload, amount: 1 })
    const server = log.start(of([4, 40]))
    const received = () => server.open.get(1)?.body.length ?? server.requests[0].text.length - 'PUT / '.length
    say(server, settings([4, 0]))
    t.equal(received(), 40)
    say(server, update(1, 40))
    t.equal(received(), 40)
    say(server, update(1, 1))
    t.equal(received(), 41)
    say(server, settings([4, 10]))
    t.equal(received(), 51)
    say(server, settings([4, 1000]))
    t.equal(received(), 100)
    answerAll(log, server)
    t.match(settle(t, log), { completed: 1 })
  })

  t.test('of the connection are shared by all streams', async t => {
    const log = play({ amount: 3, pipelining: 3, method: 'PUT', body: 'x'.repeat(30_000) })
    const server = log.start()
    t.strictSame(server.requests.map(({ id }) => id), [1, 3])
    t.equal(server.open.get(5).body.length, 5535)
    say(server, last(1), update(0, 24_464))
    t.equal(server.open.get(5).body.length, 29_999)
    say(server, update(0, 1))
    t.equal(server.requests.length, 3)
    server.waiting.shift()
    answerAll(log, server)
    t.match(settle(t, log), { completed: 3 })
  })

  t.test('of a stream over 2^31 − 1, or that grow by 0, cost that request', async t => {
    for (const [bytes, code, h2Code] of [[update(1, 2 ** 31 - 1), 'AC_H2_FLOW_CONTROL', 3], [update(1, 0), 'AC_H2_PROTOCOL', 1]]) {
      const log = play({ amount: 2, pipelining: 2 })
      const server = log.start()
      say(server, bytes, last(3))
      t.strictSame(sent(server, RST_STREAM), [[0, 1, u32(h2Code)]])
      t.match(settle(t, log), { completed: 1, failed: 1, [code]: 1 })
    }
  })

  t.test('that all grow over 2^31 − 1 by SETTINGS cost the connection', async t => {
    const log = play({ amount: 1 })
    const server = log.start(of([4, 100]))
    say(server, update(1, 2 ** 31 - 101), settings([4, 101]))
    t.match(settle(t, log), { failed: 1, AC_H2_FLOW_CONTROL: 1 })
  })

  t.test('are granted anew for what is received, of the connection also for what comes too late', async t => {
    const log = play({ amount: 1, timeout: 1 })
    const server = log.start()
    say(server, head(1))
    log.time.pass(1100)
    const { peer } = log.generator.connections.list[0]
    t.equal(peer.ungranted, 0)
    settle(t, log)
  })

  t.test('do not keep back a request whose answer has come: the rest of its body goes its own way, and no stream is reset for it', async t => {
    const log = play({ ...upload, amount: 2 })
    const server = log.start(of([4, 10]))
    say(server, last(1))
    t.equal(server.open.get(3).body.length, 10, 'the next one is sent')
    say(server, update(1, 50))
    t.equal(server.open.get(1).body.length, 60)
    say(server, settings([4, 20]))
    t.strictSame([1, 3].map(id => server.open.get(id).body.length), [70, 20])
    say(server, update(1, 30), update(3, 80))
    t.strictSame(server.requests.map(({ text }) => text), Array(2).fill(`PUT / ${upload.body}`))
    t.strictSame(sent(server, RST_STREAM), [])
    server.waiting = server.waiting.filter(({ id }) => id !== 1)
    answerAll(log, server)
    t.match(settle(t, log), { completed: 2, failed: 0 })
  })

  t.test('a server that wants no more of an answered request says so, and gets no more', async t => {
    const log = play({ ...upload, amount: 3, pipelining: 2 })
    const server = log.start(of([4, 10], [3, 2]))
    say(server, last(1))
    t.equal(server.open.get(5), undefined, 'its stream is open until then')
    say(server, frame(RST_STREAM, 0, 1, u32(NO_ERROR)))
    t.equal(server.open.get(5).body.length, 10)
    say(server, update(1, 1000))
    t.equal(server.open.get(1)?.body.length ?? 10, 10)
    say(server, update(3, 100), update(5, 100))
    answerAll(log, server)
    t.match(settle(t, log, { unread: 1 }), { completed: 3, failed: 0 })
  })

  t.test('a stream that is open for the rest of a body counts as one until that is sent', async t => {
    const log = play({ ...upload, amount: 3, pipelining: 2 })
    const server = log.start(of([4, 10], [3, 2]))
    say(server, last(1))
    t.equal(server.open.get(5), undefined)
    say(server, update(1, 90))
    t.equal(server.open.get(5).body.length, 10)
    server.waiting = server.waiting.filter(({ id }) => id !== 1)
    say(server, update(3, 100), update(5, 100))
    answerAll(log, server)
    t.match(settle(t, log), { completed: 3, failed: 0 })
  })

  t.test('a server that answers early and never opens a window has half of its streams for requests: the others are reset', async t => {
    for (const [limit, kept] of [[1, 0], [4, 2], [1000, 100]]) {
      const log = play({ ...upload, amount: 250 })
      const server = log.start(of([4, 10], [3, limit]))
      for (let id = 1; id < 500; id += 2) say(server, last(id))
      t.equal(sent(server, RST_STREAM).length, 250 - kept, `of ${limit} streams`)
      t.match(settle(t, log, { unread: 250 }), { completed: 250, failed: 0 })
    }
  })

  t.test('a server that allows fewer streams gets rid of the oldest rests', async t => {
    const log = play({ ...upload, amount: 6 })
    const server = log.start(of([4, 10], [3, 10]))
    for (const id of [1, 3, 5, 7]) say(server, last(id))
    t.strictSame(sent(server, RST_STREAM), [])
    say(server, settings([3, 4]))
    t.strictSame(sent(server, RST_STREAM), [1, 3].map(id => [0, id, u32(NO_ERROR)]))
    for (const id of [9, 11]) say(server, last(id))
    t.match(settle(t, log, { unread: 6 }), { completed: 6, failed: 0 })
  })

  t.test('a server that allows no streams any more ends the connection, whatever is left of bodies that it has answered', async t => {
    const log = play({ ...upload, amount: 2, duration: 100 })
    const server = log.start(of([4, 10], [3, 10]))
    say(server, last(1), settings([3, 0]))
    say(server, last(3))
    t.equal(log.sockets.length, 2, 'the next one goes on')
    answerAll(log, log.ready())
    t.match(settle(t, log, { unread: 1 }), { completed: 2, failed: 0 })
  })

  t.test('rests of more than 4 MiB are given up, and what is wrong with one costs nothing else', async t => {
    const log = play({ amount: 4, method: 'PUT', body: 'x'.repeat(3 * 1024 * 1024) })
    const server = log.start(of([4, 10]))
    say(server, last(1))
    t.strictSame(sent(server, RST_STREAM), [])
    say(server, last(3))
    t.strictSame(sent(server, RST_STREAM), [[0, 3, u32(NO_ERROR)]])
    say(server, update(1, 0))
    t.strictSame(sent(server, RST_STREAM).slice(1), [[0, 1, u32(1)]])
    say(server, last(5), update(5, 2 ** 31 - 1), update(5, 2 ** 31 - 1))
    t.strictSame(sent(server, RST_STREAM).slice(2), [[0, 5, u32(3)]])
    say(server, last(7))
    t.match(settle(t, log, { unread: 4 }), { completed: 4, failed: 0 })
  })
})

t.test('a reused connection that ends without GOAWAY', async t => {
  const ends = {
    FIN: server => server.socket.emit('end'),
    RST: server => server.socket.emit('error', Object.assign(new Error(), { code: 'ECONNRESET' }))
  }
  const cut = (bytes, size) => bytes.subarray(0, size)
  /** What the server sends of the response to stream 3, and whether the response has begun by that. */
  const PARTS = {
    'no byte': [[], false],
    'half of the frame head': [[cut(head(3), 8)], false],
    'the frame head': [[cut(head(3), 9)], true],
    'a part of the frame': [[cut(head(3), 12)], true],
    'a part of the field block': [[frame(HEADERS, 0, 3, block([[':status', '200']]))], true],
    'a part of the field block, and the head of CONTINUATION': [[frame(HEADERS, 0, 3, block([[':status', '200']])), cut(frame(CONTINUATION, END_HEADERS, 3, 'x'), 9)], true],
    'the field block': [[head(3)], true],
    'a part of a response to another stream': [[cut(head(5), 12)], false]
  }
  for (const [how, finish] of Object.entries(ends)) {
    for (const [what, [frames, begun]] of Object.entries(PARTS)) {
      t.test(`by ${how}, after ${what}`, async t => {
        for (const byteByByte of [false, true]) {
          const log = play({ amount: 5, pipelining: 3, requests: Array.from({ length: 5 }, (_, i) => ({ path: `/${i}` })) })
          const server = log.start()
          say(server, last(1))
          const bytes = Buffer.concat(frames)
          if (byteByByte) for (const byte of bytes) server.socket.read(Buffer.from([byte]))
          else if (bytes.length > 0) say(server, bytes)
          const { requests } = server
          finish(server)
          const next = log.ready()
          const failed = begun || what.endsWith('another stream') ? 1 : 0
          const of3 = requests.find(({ id }) => id === 3).text
          t.equal(next.requests.some(({ text }) => text === of3), !begun, 'the request of stream 3 is sent again unless its response has begun')
          answerAll(log, next)
          t.match(settle(t, log), { completed: 5 - failed, failed, resent: requests.length - 1 - failed })
        }
      })
    }

    for (const [pipelining, limit] of [[2, 8], [8, 8], [12, 12]]) {
      t.test(`by ${how}, again and again: one request is sent again ${limit} times at depth ${pipelining}`, async t => {
        const log = play({ pipelining, requests: [{ path: '/kill' }, ...Array.from({ length: 200 }, (_, i) => ({ path: `/${i}` }))] })
        let server = log.start()
        for (let n = 0; n <= limit; n++) {
          t.ok(server.waiting.some(({ text }) => text.startsWith('GET /kill')))
          say(server, last(server.waiting.find(({ text }) => !text.startsWith('GET /kill')).id))
          finish(server)
          server = log.ready()
        }
        t.notOk(server.requests.some(({ text }) => text.startsWith('GET /kill')))
        t.match(settle(t, log), { failed: 1, [how === 'FIN' ? 'AC_CLOSED' : 'ECONNRESET']: 1 })
      })
    }
  }
})

t.test('a connection whose numbers of streams are used up is made anew, without an error', async t => {
  for (const pipelining of [1, 4]) {
    const log = play({ amount: 30, pipelining, duration: 100 }, nobody, { perSocket: 10 })
    let server = log.start()
    for (let n = 0; n < 40 && log.ends === 0; n++) {
      answerAll(log, server)
      if (log.sockets.at(-1) !== server.socket && log.ends === 0) server = log.ready()
    }
    t.equal(log.sockets.length, 3)
    t.match(settle(t, log), { completed: 30, failed: 0, resent: 0 })
  }
})

t.test('a server that takes the connection and nothing else is not one that can\'t be reached', async t => {
  for (const greeting of [null, of([3, 0])]) {
    const log = play({ amount: 2, pipelining: 2, timeout: 1, duration: 100 })
    log.generator.start()
    const [socket] = log.sockets
    socket.write = () => true
    socket.ready()
    if (greeting !== null) socket.read(frame(SETTINGS, 0, 0, greeting))
    log.time.pass(1100)
    t.match(settle(t, log, { neverSent: 2 }), { sent: 0, [greeting === null ? 'AC_H2_SILENT' : 'AC_H2_NO_STREAMS']: 2 })
  }
  const log = play({ amount: 2, timeout: 1, duration: 100 })
  log.generator.start()
  log.time.pass(1100)
  t.match(settle(t, log, { neverSent: 1 }), { AC_CONNECT_TIMEOUT: 1 })
})
