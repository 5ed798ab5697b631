'use strict'

// A run by amount does not wait for ever for functions that await something else than the run.

const t = require('tap')
const autocannon = require('../..')
const { calm, serve } = require('../helpers/servers/http-server')
const { webSocketServer } = require('../helpers/servers/websocket-server')
const { Unsettled } = require('../../lib/functions/unsettled')

const of = (more = {}) => ({ number: 3, closed: false, iteration: { requests: 0, pauses: 0, changedAt: 7 }, sockets: null, ...more })

/** @param {Unsettled} unsettled @param {any[]} users @param {(i: number) => number} sentAt */
function looksUntilEnd (unsettled, users, sentAt = () => 5) {
  for (let i = 0; i < 100; i++) {
    const error = unsettled.look(sentAt(i), users)
    if (error !== null) return { ms: i * unsettled.every, error }
  }
  return null
}

t.test('it ends after ten timeouts without a request, and a minute at least', async t => {
  for (const [timeout, ms, words] of [[10_000, 100_000, '100 s'], [1000, 60_000, '60 s'], [60_000, 600_000, '10 min']]) {
    const { ms: at, error } = looksUntilEnd(new Unsettled(timeout), [of({ closed: true, number: 2 }), of()])
    t.equal(at, ms)
    t.match(error, { code: 'AC_HOOK', message: `the function of user 3 has not ended, and awaited no request, pause or WebSocket for ${words}: is there an await that never ends? A longer timeout (-t) gives it more time` })
  }
})

t.test('it goes on while a request, a pause or a WebSocket is awaited, or another user can go on', async t => {
  for (const users of [
    [of({ iteration: { requests: 1, pauses: 0 } })],
    [of({ iteration: { requests: 0, pauses: 1 } })],
    [of({ sockets: { isAwaited: true } })],
    [of({ iteration: null })],
    [of(), of({ iteration: null })],
    [of({ closed: true })],
    []
  ]) t.equal(looksUntilEnd(new Unsettled(1000), users), null)
  t.equal(looksUntilEnd(new Unsettled(1000), [of()], i => Math.floor(i / 9)), null, 'and while some are sent')
  let i = 0
  const reads = of({ sockets: { isAwaited: false }, iteration: { requests: 0, pauses: 0, get changedAt () { return i++ } } })
  t.equal(looksUntilEnd(new Unsettled(1000), [reads]), null, 'and while messages are read between looks')
  t.not(looksUntilEnd(new Unsettled(1000), [of({ sockets: { isAwaited: false } })]), null, 'not with a WebSocket that nothing reads')
})

t.test('a run by amount ends where streams that nothing reads have all connections of a user whose request waits for one', async t => {
  const blocked = of({ iteration: { requests: 7, pauses: 0 }, isBlocked: true })
  t.match(looksUntilEnd(new Unsettled(1000), [of(), blocked]), { ms: 60_000, error: { code: 'AC_HOOK', message: 'a request of user 3 has waited for a connection for 60 s: streams of the same function that it does not read have all of them. Read or close streams first, or raise connectionsPerUser (--connections-per-user)' } })
})

/** @param {any} t @param {any} opts */
async function linesOf (t, opts) {
  const server = await serve(t, (request, response) => {
    if (request.url !== '/events') return calm(request, response)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
  })
  /** @type {string[]} */
  const lines = []
  const run = autocannon({ url: server.url, connections: 2, timeout: 1, ...opts })
  run.on('log', line => lines.push(line))
  await run
  return lines
}

t.test('a run by duration says at its end how many functions have awaited nothing of it for longer than the timeout', async t => {
  const hangs = async (/** @type {any} */ { http }) => {
    await http.get('/')
    await new Promise(() => {})
  }
  t.strictSame(await linesOf(t, { duration: 2, user: hangs }), ['the functions of 2 users awaited no request, pause or WebSocket for more than 1 s when the run ended: is there an await that never ends?'])
  const silent = async () => { await new Promise(() => {}) }
  t.match(await linesOf(t, { duration: 1.5, user: silent }), [/^the functions of 2 users awaited no request/], 'that send nothing')
  t.strictSame(await linesOf(t, { duration: 0.3, user: hangs }), [], 'less than the timeout ago')
  t.strictSame(await linesOf(t, { duration: 1.5, user: async (/** @type {any} */ { pause }) => { await pause('1m') } }), [])
})

t.test('a WebSocket that the function does not read makes no difference, and one that it reads does', async t => {
  const { url } = await webSocketServer(t)
  const opts = { url: url.replace('ws:', 'http:'), duration: 1.6 }
  const sends = async (/** @type {any} */ { ws }) => {
    const socket = await ws('/')
    socket.send('a')
    await new Promise(() => {})
  }
  t.match(await linesOf(t, { ...opts, user: sends }), [/^the functions of 2 users awaited no request, pause or WebSocket/])
  t.strictSame(await linesOf(t, {
    ...opts, user: async (/** @type {any} */ { ws }) => {
      for await (const message of await ws('/')) message.text()
    }
  }), [])
})

t.test('requests that wait for ever, as streams that nothing reads have all connections of their user, are counted at the end', async t => {
  const holds = async (/** @type {any} */ { http }) => {
    await http.stream('/events')
    await http.stream('/events')
    await http.get('/')
  }
  const opts = { duration: 1, timeout: 10, connectionsPerUser: 2 }
  t.strictSame(await linesOf(t, { ...opts, user: holds }), ['2 requests of user functions waited for a connection when the run ended: streams of the same function that it does not read had all of them. Read or close streams first, or raise connectionsPerUser (--connections-per-user)'])
  t.strictSame(await linesOf(t, {
    ...opts, connectionsPerUser: 3, user: async (/** @type {any} */ given) => {
      await holds(given)
      await given.pause('1m')
    }
  }), [])
})
