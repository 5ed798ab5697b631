'use strict'

// What every Peer promises the one who owns it, over real sockets: lib/protocols/peer.js has the interface. What a connection makes of it is in test/engine/protocols.test.js.

const t = require('tap')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const { now } = require('../../lib/core/clock')
const { Exchanges } = require('../../lib/engine/exchanges')
const { MultiplexedConnections } = require('../../lib/engine/multiplexed-connections')
const { Recorder } = require('../../lib/record/recorder')
const { parseTarget } = require('../../lib/requests/target')
const { load } = require('../../lib/net/sockets/binding')
const { makeConnect } = require('../../lib/net/transport')
const { closedPort } = require('../helpers/servers/http-server')
const { openGroup, until } = require('../helpers/native-sockets')

const http1Of = () => require('../../lib/protocols/http1/peer').http1()
const http2Of = () => require('../../lib/protocols/http2/peer').http2()
const undiciOf = version => () => require('../../lib/protocols/undici/peer').undici({ pipelining: 2, http: version, dispatcher: null }, now)

const PEERS = {
  'HTTP/1.1': { protocolOf: http1Of, version: 1, depth: 2, stalls: true },
  'HTTP/2': { protocolOf: http2Of, version: 2, depth: 2, cancels: true },
  'HTTP/1.1 over native sockets': { protocolOf: http1Of, version: 1, depth: 2, stalls: true, native: true },
  'HTTP/2 over native sockets': { protocolOf: http2Of, version: 2, depth: 2, cancels: true, native: true },
  'a stream of HTTP/2': { protocolOf: http2Of, version: 2, depth: 1, cancels: true, shares: true },
  'undici, HTTP/1.1': { protocolOf: undiciOf('1.1'), version: 1, depth: 2 },
  'undici, HTTP/2': { protocolOf: undiciOf('2'), version: 2, depth: 2, cancels: true }
}

/** A server that responds with the path, but: /hang has no response, /part half of one, and /trailers trailers. */
async function serve (t, { version }) {
  const held = []
  const server = (version === 1 ? http : http2).createServer((request, response) => {
    const { url } = request
    request.resume()
    if (url === '/hang') return held.push(response)
    if (url === '/trailers') {
      response.setHeader('Trailer', 'X-Sum, X-None')
      response.write('body')
      response.addTrailers({ 'X-Sum': 'one', 'X-None': '' })
      return response.end()
    }
    response.setHeader('Content-Length', url === '/part' ? 100 : url.length)
    if (url === '/part') response.write('half')
    else response.end(url)
  })
  const sockets = new Set()
  server.on('connection', socket => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: server.address().port, sockets, held }
}

/** A peer whose events are written down, and the table of its requests. */
function peerOf (t, { protocolOf, depth, native, shares }, port) {
  const protocol = protocolOf()
  const target = parseTarget(`http://127.0.0.1:${port}/`)
  const sockets = native ? openGroup(t, load().binding) : null
  let net = { now, timeout: 50, readBuffer: Buffer.alloc(65536), connect: makeConnect(null, { alpn: protocol.alpn, sockets }), protocol }
  if (shares) {
    const shared = { ...net, recorder: new Recorder({ latencies: true }), observer: {}, perSocket: Infinity, connectTimeout: 1000, onConnected () {} }
    net = new MultiplexedConnections(shared, { size: 2, users: null }, setImmediate).forUsers()
  }
  const inFlight = new Exchanges(depth)
  const events = []
  const note = (...event) => events.push(event)
  const bodies = []
  const receiver = {
    readAt: 0,
    arrival: -1,
    answered: 0,
    looks: true,
    onHead: (row, head) => { note('head', row, head.status); bodies[row] = ''; return true },
    onBody: (row, bytes, start, end) => { bodies[row] += bytes.toString('latin1', start, end) },
    onTrailers: (row, raw) => note('trailers', row, raw.map(text => text.toLowerCase())),
    onComplete (row, status, size) {
      inFlight.remove(row)
      receiver.answered++
      note('complete', row, status, bodies[row], size > 0)
    },
    onLost (row, { code }) {
      inFlight.remove(row)
      note('lost', row, code)
    },
    onLimit () {},
    onWait () {},
    onRepeat () {}
  }
  const owner = {
    opened: () => note('opened'),
    received (size, buffer, start) {
      receiver.readAt = now()
      peer.read(buffer, start + size, start)
      owner.goOn()
    },
    goOn () {
      if (events.length === 0) return peer.greet()
      if (peer.stopped) return owner.closed(peer.error)
      peer.flush()
    },
    stalled: () => note('stalled'),
    drained: () => note('drained'),
    closed (error) {
      note('closed', error?.code ?? null)
      peer.close()
    }
  }
  const peer = net.protocol.peer(owner, receiver, inFlight, net)
  t.teardown(() => peer.close())
  return {
    peer,
    events,
    inFlight,
    /** @returns {number} the row of a request of that path */
    send (path, body = null) {
      const { free: row } = inFlight
      const request = { method: body === null ? 'GET' : 'POST', path, headers: [], body }
      const encoded = protocol.encode(request, target, String)
      const bytes = protocol.finish?.(encoded) ?? encoded
      inFlight.write(row, { method: request.method, request, bytes }, {}, request, bytes)
      inFlight.add(now(), now())
      peer.send(bytes, row)
      peer.flush()
      return row
    },
    async open () {
      events.length = 0
      peer.open(target)
      await until(() => events.length > 0)
    },
    /** Waits until an event of that kind has come, and for what might follow it. */
    async till (kind, count = 1) {
      await until(() => events.filter(([one]) => one === kind).length >= count)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}

for (const [name, kind] of Object.entries(PEERS)) {
  if (kind.native && load().binding === null) continue
  const begin = async t => {
    const server = await serve(t, kind)
    const one = peerOf(t, kind, server.port)
    await one.open()
    return { ...one, ...server }
  }

  t.test(`${name}: is opened once, and reports responses by the rows of their requests`, async t => {
    const { peer, events, send, till } = await begin(t)
    t.strictSame(events, [['opened']])
    t.equal(peer.closed, false)
    const rows = Array.from({ length: kind.depth }, (_, i) => send(`/${i}`))
    await till('complete', kind.depth)
    t.strictSame(events.filter(([one]) => one === 'complete').sort(), rows.map(row => ['complete', row, 200, `/${row}`, true]))
    t.equal(events.filter(([one]) => one === 'head').length, kind.depth)
    t.equal(peer.stopped, false)
  })

  t.test(`${name}: reports trailers between body and end`, async t => {
    const { events, send, till } = await begin(t)
    const row = send('/trailers')
    await till('complete')
    t.strictSame(events.slice(2), [['trailers', row, ['x-sum', 'one', 'x-none', '']], ['complete', row, 200, 'body', true]])
  })

  t.test(`${name}: gives up on one request alone, or reports that the connection has to end`, async t => {
    const { peer, events, inFlight, send, till, held } = await begin(t)
    const row = send('/hang')
    await until(() => held.length > 0)
    t.equal(peer.cancel(row), Boolean(kind.cancels))
    if (!kind.cancels) return
    inFlight.remove(row)
    held[0].end('late')
    send('/after')
    await till('complete')
    t.strictSame(events.slice(1).map(([one]) => one), ['head', 'complete'])
  })

  t.test(`${name}: reports that the server has closed the connection, once, and what is known of a request that it has not lost before`, async t => {
    const { peer, events, send, till, sockets } = await begin(t)
    const row = send('/part')
    await till('head')
    t.equal(peer.hasBegun(row), true)
    for (const socket of sockets) socket.destroy()
    await till('closed')
    const ends = events.filter(([one]) => one !== 'opened' && one !== 'head')
    if (ends[0][0] === 'lost') ends.shift()
    else t.strictSame([peer.hasBegun(row), peer.untouched(row)], [true, false])
    t.equal(ends.length, 1)
  })

  t.test(`${name}: no event follows close, which may be called again, and a peer can be opened again`, async t => {
    const { peer, events, send, till, open, inFlight, held, sockets } = await begin(t)
    const row = send('/hang')
    await until(() => held.length > 0)
    peer.close()
    peer.close()
    t.equal(peer.closed, true)
    held[0].end('late')
    await until(() => [...sockets].every(({ destroyed }) => destroyed))
    t.strictSame(events, [['opened']])
    inFlight.remove(row)
    await open()
    send('/again')
    await till('complete')
    t.strictSame(events.map(([one]) => one), ['opened', 'head', 'complete'])
    t.equal(sockets.size, 2)
  })

  t.test(`${name}: a server that is not there is one event`, async t => {
    const { peer, events, open } = peerOf(t, kind, await closedPort())
    await open()
    t.strictSame(events, [['closed', 'ECONNREFUSED']])
    t.equal(peer.closed, true)
    t.equal(peer.countFailure(), true)
  })

  // Over HTTP/2 windows are full before sockets are: test/engine/streams.test.js.
  if (!kind.stalls) continue
  t.test(`${name}: reports that the server does not read, and that it does so again`, async t => {
    const { peer, events, send, till, sockets } = await begin(t)
    for (const socket of sockets) socket.pause()
    send('/hang', Buffer.alloc(32 * 1024 * 1024, 'x'))
    await till('stalled')
    t.equal(peer.blocked, true)
    await until(() => peer.isStalled(now()))
    for (const socket of sockets) socket.resume()
    await till('drained')
    t.strictSame(events, [['opened'], ['stalled'], ['drained']])
    t.strictSame([peer.blocked, peer.isStalled(now())], [false, false])
  })
}
