'use strict'

// The peer over undici, whose callbacks are in the hands of the test: whatever they are and whenever they come, of each request one end is told.

const t = require('tap')
const fc = require('fast-check')
const { Link } = require('../../../lib/protocols/undici/link')
const { undici } = require('../../../lib/protocols/undici/peer')
const { encode, parse } = require('../../../lib/protocols/undici/requests')
const { parseTarget } = require('../../../lib/requests/target')

const SEED = Number(process.env.FUZZ_SEED ?? 9112)
const RUNS = Number(process.env.FUZZ_RUNS ?? 200)
const target = parseTarget('http://localhost:3000/own?path')

/** A connection over a dispatcher that keeps what it is asked for. */
async function open ({ looks = true } = {}) {
  const handlers = []
  const told = []
  const dispatcher = { dispatch (opts, handler) { handlers.push({ opts, handler }); return true } }
  let ms = 0
  const protocol = undici({ pipelining: 1, http: '1.1', dispatcher }, () => ++ms)
  const receiver = {
    looks,
    readAt: 0,
    onHead: (row, head) => { told.push(['head', row, head.status, head.rawHeaders()]); return row % 2 === 0 },
    onBody: (row, bytes, start, end) => told.push(['body', row, bytes.toString('latin1', start, end)]),
    onTrailers: (row, raw) => told.push(['trailers', row, raw]),
    onComplete: (row, status, size, begunAt) => told.push(['complete', row, status, size, begunAt <= receiver.readAt]),
    onLost: (row, error) => told.push(['lost', row, error.code])
  }
  const owner = { received: () => peer.read() }
  const peer = protocol.peer(owner, receiver, null, {})
  await new Promise(resolve => {
    owner.opened = resolve
    peer.open(target)
  })
  return { protocol, peer, handlers, told, turn: () => new Promise(resolve => setImmediate(resolve)) }
}

const GET = Buffer.from('GET /a HTTP/1.1\r\nX-A: b\r\n\r\n')

t.test('what a request is for undici has its method, path, headers and body, and values that were put into its bytes', async t => {
  const token = fc.stringMatching(/^[A-Za-z!#$%&'*+.^_|~-]{1,8}$/)
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PURGE', 'M-SEARCH'),
    path: fc.option(fc.stringMatching(/^\/[!-~]{0,12}$/), { nil: null }),
    headers: fc.array(fc.tuple(token, fc.stringMatching(/^([!-~ü✓]([ -~ü✓]{0,8}[!-~ü✓])?)?$/)), { maxLength: 4 }),
    body: fc.option(fc.uint8Array({ maxLength: 20 }), { nil: null })
  })
  fc.assert(fc.property(request, ({ method, path, headers, body }) => {
    const made = parse(encode({ method, path, headers, body }, target))
    t.strictSame({ ...made, body: made.body && [...made.body] }, {
      method,
      path: path ?? '/own?path',
      headers: headers.flatMap(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
      body: body === null || body.length === 0 ? null : [...body]
    })
  }), { seed: SEED, numRuns: RUNS })
})

t.test('credentials of the URL are sent unless a header has others, and bytes that are kept are parsed once', async t => {
  const own = parseTarget('http://ada:secret@localhost/')
  t.strictSame(parse(encode({ method: 'GET', path: '/', headers: [], body: null }, own)).headers, ['Authorization', 'Basic YWRhOnNlY3JldA=='])
  t.strictSame(parse(encode({ method: 'GET', path: '/', headers: [['authorization', 'x']], body: null }, own)).headers, ['authorization', 'x'])
  const { protocol, peer, handlers } = await open()
  const bytes = protocol.keep(Buffer.from(GET))
  peer.send(bytes, 0)
  peer.send(bytes, 1)
  peer.send(GET, 2)
  t.equal(handlers[0].opts.headers, handlers[1].opts.headers)
  t.not(handlers[0].opts.headers, handlers[2].opts.headers)
  t.strictSame(handlers.map(({ opts }) => [opts.origin, opts.path, ...opts.headers]), Array(3).fill(['http://localhost:3000', '/a', 'X-A', 'b']))
})

t.test('an error that ends the connection fails what is in flight, also when a row was never used', async t => {
  const { peer, told } = await open()
  peer.send(GET, 1)
  peer.fail(Object.assign(new Error('broken'), { code: 'ERR_HTTP2_ERROR' }))
  t.strictSame(told, [['lost', 1, 'ERR_HTTP2_ERROR']])
})

t.test('a connection that ends before it is there has a code', t => {
  const closed = ({ code }) => {
    t.equal(code, 'AC_CLOSED')
    t.end()
  }
  new Link({ owner: { closed } }, target).end(null)
})

t.test('nothing is told from within a callback of undici', async t => {
  const { peer, handlers, told, turn } = await open()
  peer.send(GET, 0)
  const { handler } = handlers[0]
  handler.onConnect(() => {})
  handler.onHeaders(103, [Buffer.from('Link'), Buffer.from('early')], () => {}, '')
  handler.onHeaders(200, [Buffer.from('X'), [Buffer.from('1'), Buffer.from('2')]], () => {}, 'OK')
  t.equal(peer.hasBegun(0), true)
  handler.onData(Buffer.from('abc'))
  handler.onComplete([])
  t.strictSame(told, [])
  await turn()
  t.strictSame(told, [['head', 0, 200, ['X', '1', 'X', '2']], ['body', 0, 'abc'], ['complete', 0, 200, 3, true]])
  t.equal(peer.hasBegun(0), false)
})

t.test('whatever happens in whatever order, each request has one end, and none after it was given up', async t => {
  const event = fc.record({ what: fc.constantFrom('write', 'write', 'write', 'goes on', 'goes on', 'goes on', 'goes on', 'goes on', 'goes on', 'data', 'error', 'cancel', 'turn', 'new words'), which: fc.nat(9) })
  const ends = { complete: 0, lost: 0, cancelled: 0 }
  await fc.assert(fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 60 }), fc.boolean(), async (events, looks) => {
    const { peer, handlers, told, turn } = await open({ looks })
    const free = [0, 1, 2, 3]
    /** What is in flight, in the order of sending. */
    const flying = []
    let cancelled = 0
    let read = 0
    const settle = () => {
      for (; read < told.length; read++) {
        const [what, row] = told[read]
        if (what !== 'complete' && what !== 'lost') continue
        const i = flying.findIndex(one => one.row === row)
        t.not(i, -1, 'of a request that is in flight')
        flying.splice(i, 1)
        free.push(row)
      }
    }
    for (const { what, which } of events) {
      const one = flying[which % flying.length]
      if (what === 'write' && free.length > 0) {
        const row = free.shift()
        peer.send(GET, row)
        flying.push({ row, handler: handlers.at(-1).handler, state: 0 })
      } else if (what === 'turn') {
        await turn()
        settle()
      } else if (one === undefined || one.state === 9) continue
      else if (what === 'cancel') {
        settle()
        if (!flying.includes(one)) continue
        t.equal(peer.cancel(one.row), true)
        flying.splice(flying.indexOf(one), 1)
        free.push(one.row)
        cancelled++
        // undici may not know it yet.
        for (const late of [() => one.handler.onConnect(() => {}), () => one.handler.onHeaders(200, [], () => {}, ''), () => one.handler.onData(Buffer.from('late')), () => one.handler.onError(new Error('late'))]) {
          try { late() } catch (error) { t.match(error.message, /aborted/) }
        }
      } else if (what === 'goes on' && one.state === 0) {
        one.handler.onConnect(() => {})
        one.state = 1
        t.equal(peer.untouched(one.row), false)
      } else if (what === 'goes on' && one.state === 1) {
        one.handler.onHeaders(200, [], () => {}, '')
        one.state = 2
      } else if (what === 'new words' && one.state === 1) {
        one.handler.onResponseStart({}, 200, { a: ['1', '2'] }, 'OK')
        one.state = 2
      } else if (what === 'data' && one.state === 2) one.handler.onData(Buffer.from('x'))
      else if (what === 'goes on' && one.state === 2) {
        one.handler.onComplete([])
        one.state = 9
      } else if (what === 'error' && one.state !== 9) {
        one.handler.onError(Object.assign(new Error(), { code: 'UND_ERR_SOCKET' }))
        one.state = 9
      }
    }
    await turn()
    settle()
    t.strictSame(flying.filter(({ state }) => state === 9), [], 'what has ended has been told')
    for (const [what] of told) if (what in ends) ends[what]++
    ends.cancelled += cancelled
    const before = told.length
    peer.close()
    for (const { handler, state } of flying) if (state !== 9) handler.onError(new Error('late'))
    await turn()
    t.equal(told.length, before, 'nothing is told behind the end')
  }), { seed: SEED, numRuns: RUNS })
  t.ok(Object.values(ends).every(n => n > 20), JSON.stringify(ends))
})
