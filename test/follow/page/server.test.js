'use strict'

// The server of a live page, asked by raw sockets: what it tells whom, and what strangers and slow viewers can't do to it.

const t = require('tap')
const net = require('node:net')
const { once } = require('node:events')
const { setTimeout: wait } = require('node:timers/promises')
const { formatResult } = require('../../..')
const { exampleResult } = require('../../helpers/results/example-result')
const { playedPage } = require('../../helpers/pages/live-page')

/**
 * @param {number} port
 * @param {string} text
 * @returns {Promise<string>} all that comes until the end
 */
async function say (port, text) {
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', data => { answer += data }).on('error', () => {})
  socket.write(text)
  await new Promise(resolve => socket.once('close', resolve))
  return answer
}

/** @param {string} answer */
const statusOf = answer => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

/**
 * @param {{ port: number, token: string }} live
 * @returns {Promise<{ socket: net.Socket, events: () => Array<{ event: string, data: any }>, text: () => string }>} a viewer
 */
async function watch ({ port, token }) {
  const socket = net.connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', data => { text += data }).on('error', () => {})
  socket.write(`GET /${token}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  while (!text.includes('event: whole')) await once(socket, 'data')
  const body = () => text.replace(/^.*?\r\n\r\n/s, '').replace(/(?:^|\r\n)[\da-f]+\r\n/g, '')
  return { socket, text: () => text, events: () => [...body().matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({ event, data: JSON.parse(data) })) }
}

/**
 * What takes a socket some time: it takes some MB before it says that it is full.
 * @param {number} i
 */
const many = i => Array.from({ length: 300 }, (_, n) => ({ expression: `${'x'.repeat(2000)} ${n} ${i}`, actual: 1, unit: 'ms', passed: true }))

t.test('one whole state, then what has changed', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(2)
  const viewer = await watch(live)
  const rateOf = (/** @type {any} */ { data }) => data.charts.find((/** @type {any} */ { about }) => about.id === 'rate')
  for (const seconds of [3, 4]) {
    await wait(20)
    live.go(seconds)
    while (!viewer.events().some(event => rateOf(event).runs[0][0].includes(seconds - 1))) await once(viewer.socket, 'data')
  }
  const [whole, ...more] = viewer.events()
  // That it was counted itself is told to a viewer, too.
  const changes = more.filter(event => rateOf(event).rows.length > 0)
  t.equal(whole.event, 'whole')
  t.strictSame(rateOf(whole).runs[0][0], [0, 1])
  for (const [i, { event, data }] of changes.entries()) {
    t.equal(event, 'change')
    t.strictSame(Object.keys(data.parts).sort(), ['figures', 'hero', 'latency', 'repeat', 'responses'].filter(name => data.parts[name] !== undefined), 'parts that look otherwise')
    const { from, runs, rows } = rateOf({ data })
    t.strictSame([from, runs[0][0], rows.length], [i + 2, [i + 2], 1], 'the new point alone')
  }
  t.notOk(changes.some(({ data }) => 'course' in data.parts), 'the frame of the charts stays')
})

t.test('without a viewer, the run is not looked at', async t => {
  const live = await playedPage(t)
  let looks = 0
  const { soFar } = live.run
  live.run.soFar = () => { looks++; return soFar.call(live.run) }
  live.start()
  for (let i = 1; i < 5; i++) live.go(i)
  t.equal(looks, 0)
  const viewer = await watch(live)
  t.equal(viewer.events()[0].data.charts[0].runs[0][0].length, 4, 'who comes gets all of it')
})

t.test('samples that come fast are looked at twice a second', async t => {
  let [time, looks] = [0, 0]
  const { LivePage } = require('../../../lib/follow/page/live-page')
  /** @type {Array<number>} */
  const timers = []
  const page = new LivePage({ clock: () => time, setTimeout: (then, ms) => { timers.push(time + ms); setImmediate(() => { time += 500; then() }); return { unref () {} } } })
  /** @type {any} */
  let follower
  page.follow({ opts: {}, soFar: () => { looks++; return null }, follow: one => { follower = one } })
  page.join(/** @type {any} */ ({ gone: new Promise(() => {}), send () {} }))
  follower.start({ start: 0 })
  for (let i = 0; i < 1000; i++) follower.sample({ point: { requests: 1, length: 1 }, inFlight: 1 })
  t.ok(looks <= 1)
  t.strictSame(timers, [500], 'one look is due, and no more')
})

t.test('a look that takes its time makes the next one come later', async t => {
  const { LivePage } = require('../../../lib/follow/page/live-page')
  let [time, due] = [0, () => {}]
  const page = new LivePage({ clock: () => time, setTimeout: then => { due = then; return { unref () {} } } })
  page.follow({ opts: {}, soFar: () => { time += 20; return null }, follow: follower => { follower.start?.({ start: 0 }) } })
  page.join(/** @type {any} */ ({ gone: new Promise(() => {}), send () {} }))
  time = 1000
  due()
  t.equal(page.throttle.gap, 500, 'one alone may have waited for a core')
  time += page.throttle.gap
  page.changed()
  t.equal(page.throttle.gap, 4000, '20 ms are 0.5 % of 4 s')
  Object.assign(/** @type {any} */ (page.instance).opts, { workers: 2 })
  time += page.throttle.gap
  page.changed()
  t.equal(page.throttle.gap, 500, 'a thread that sends nothing has time for it')
})

t.test('strangers get nothing, and the run goes on', async t => {
  const live = await playedPage(t)
  const { port, token, link } = live
  live.start()
  live.go(2)
  const host = `Host: 127.0.0.1:${port}\r\n`
  const attacks = {
    'DNS rebinding': [`GET /${token}/ HTTP/1.1\r\nHost: evil.example:${port}\r\n\r\n`, 403],
    'DNS rebinding, events': [`GET /${token}/events HTTP/1.1\r\nHost: evil.example\r\n\r\n`, 403],
    'two hosts': [`GET /${token}/ HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`, 403],
    'no host': [`GET /${token}/ HTTP/1.1\r\n\r\n`, 400],
    'no host in HTTP/1.0': [`GET /${token}/ HTTP/1.0\r\n\r\n`, 403],
    'no token': [`GET / HTTP/1.1\r\n${host}\r\n`, 404],
    'another token': [`GET /${token.slice(1)}b/ HTTP/1.1\r\n${host}\r\n`, 404],
    'a form of another page': [`POST /${token}/stop HTTP/1.1\r\n${host}Origin: http://evil.example\r\nContent-Length: 0\r\n\r\n`, 403],
    'a form without an origin': [`POST /${token}/stop HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`, 403],
    'a question before it': [`OPTIONS /${token}/stop HTTP/1.1\r\n${host}Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`, 405],
    traversal: [`GET /${token}/../../../../etc/passwd HTTP/1.1\r\n${host}\r\n`, 404],
    'encoded traversal': [`GET /${token}/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\n${host}\r\n`, 404],
    'the path of a proxy': [`GET http://169.254.169.254/latest/ HTTP/1.1\r\n${host}\r\n`, 404],
    tunnel: [`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`, NaN],
    'a giant head': [`GET /${token}/ HTTP/1.1\r\n${host}X: ${'x'.repeat(100_000)}\r\n\r\n`, NaN],
    'a giant path': [`GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`, NaN],
    'no HTTP': ['\x16\x03\x01\x02\0\x01\0\x01', NaN],
    'a giant body': [`POST /${token}/stop HTTP/1.1\r\n${host}Content-Length: 9999999999\r\n\r\n${'x'.repeat(200_000)}`, 403],
    smuggling: [`GET /${token}/x HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nPOST /${token}/stop HTTP/1.1\r\n${host}Origin: http://127.0.0.1:${port}\r\n\r\n`, NaN],
    'one behind another': [`GET /x HTTP/1.1\r\n${host}\r\nPOST /${token}/stop HTTP/1.1\r\n${host}Origin: http://evil.example\r\n\r\n`, 404]
  }
  for (const [name, [text, status]] of Object.entries(attacks)) {
    const answer = await say(port, String(text))
    if (status === 403 && answer === '') t.pass(`${name}: closed`)
    else t.strictSame(statusOf(answer), status, `${name}: ${answer.slice(0, 60)}`)
    t.notMatch(answer, /access-control-allow/i, name)
    t.notMatch(answer, token, `${name}: the token is not told`)
  }
  t.strictSame(live.said, [], 'the run was not stopped')
  const { headers } = await fetch(link)
  t.match(headers.get('content-security-policy'), /^default-src 'none'; script-src 'sha256-\S+' 'sha256-\S+'; style-src 'sha256-\S+' 'sha256-\S+'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/)
  t.strictSame(['cache-control', 'x-content-type-options', 'referrer-policy', 'x-frame-options', 'access-control-allow-origin', 'cross-origin-resource-policy'].map(name => headers.get(name)), ['no-store', 'nosniff', 'no-referrer', 'DENY', null, 'same-origin'])
})

t.test('the page itself may end the run, and save the report so far', async t => {
  const live = await playedPage(t)
  const { port, link } = live
  t.equal((await fetch(link + 'report.html')).status, 404, 'there is none yet')
  live.start()
  live.go(2)
  const report = await fetch(link + 'report.html')
  t.equal(await report.text(), formatResult(/** @type {any} */ (live.run.now), 'html', { soFar: true }))
  t.match(report.headers.get('content-disposition'), /^attachment/)
  t.equal((await fetch(link + 'stop', { method: 'POST', headers: { origin: `http://127.0.0.1:${port}` } })).status, 202)
  t.strictSame(live.said, ['stop'])
})

t.test('a viewer who does not read loses what comes meanwhile, and nothing waits for it', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(1)
  const slow = net.connect(live.port, '127.0.0.1')
  slow.write(`GET /${live.token}/events HTTP/1.1\r\nHost: 127.0.0.1:${live.port}\r\n\r\n`)
  slow.pause()
  const quick = await watch(live)
  while (live.page.viewers.size < 2) await wait(5)
  const [viewer] = [...live.page.viewers].filter(({ response }) => response.socket?.remotePort === slow.localPort)
  let most = 0
  for (let i = 0; i < 25; i++) {
    live.go(2, { thresholds: many(i) })
    await wait(2)
    most = Math.max(most, viewer.response.writableLength)
  }
  t.ok(viewer.isBusy && viewer.isBehind, 'it is behind')
  t.ok(most < 8_000_000, `no more than one state waits for it: ${most} bytes`)
  t.ok(quick.events().length > 5, 'others go on')
  const began = Date.now()
  live.done(exampleResult({ seconds: 3 }))
  await live.server.end()
  t.ok(Date.now() - began < 10_000, 'the end waits for it for a time that has a bound')
  if (!quick.socket.closed) await once(quick.socket, 'close')
  t.equal(quick.events().at(-1)?.event, 'end')
  slow.destroy()
})

t.test('a viewer who was too slow gets all of it, once it reads again', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(1)
  const viewer = await watch(live)
  viewer.socket.pause()
  const [{ response }] = live.page.viewers
  for (let i = 0; i < 100 && response.writableLength === 0; i++) {
    live.go(2, { thresholds: many(i) })
    await wait(2)
  }
  live.go(5)
  viewer.socket.resume()
  for (let i = 0; i < 500 && viewer.events().at(-1)?.data.charts[0]?.runs[0][0].length !== 5; i++) await wait(10)
  const { event, data } = /** @type {any} */ (viewer.events().at(-1))
  t.equal(event, 'whole')
  t.strictSame(data.charts.find((/** @type {any} */ { about }) => about.id === 'rate').runs[0][0], [0, 1, 2, 3, 4])
})

t.test('a thousand connections take few sockets, and a viewer who is there stays', async t => {
  const live = await playedPage(t)
  live.start()
  live.go(1)
  const viewer = await watch(live)
  const sockets = Array.from({ length: 1000 }, () => net.connect(live.port, '127.0.0.1').on('error', () => {}))
  await Promise.all(sockets.map(socket => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
  await wait(50)
  const open = await new Promise(resolve => live.server.server.getConnections((_, count) => resolve(count)))
  t.ok(open <= 160, `${open} are open`)
  live.go(2)
  while (!viewer.events().some(({ event }) => event === 'change')) await once(viewer.socket, 'data')
  for (const socket of sockets) socket.destroy()
})

t.test('there are as many viewers as a team has, and then no more', async t => {
  const live = await playedPage(t)
  const viewers = await Promise.all(Array.from({ length: 100 }, () => watch(live)))
  t.equal((await fetch(live.link + 'events')).status, 503)
  viewers[0].socket.destroy()
  while (live.page.viewers.size === 100) await wait(5)
  t.ok(await watch(live))
  await live.server.end()
  await Promise.all(viewers.slice(1).map(({ socket }) => socket.closed || once(socket, 'close')))
})

t.test('a socket that says nothing is closed', async t => {
  const live = await playedPage(t)
  t.strictSame([live.server.server.headersTimeout, live.server.server.requestTimeout], [5000, 5000])
  const half = net.connect(live.port, '127.0.0.1')
  await once(half.on('error', () => {}), 'connect')
  half.write('GET / HTTP/1.1\r\n')
  await live.server.end()
  if (!half.closed) await new Promise(resolve => half.resume().once('close', resolve))
  t.pass('and does not keep the process from its end')
})

t.test('an address that can not be had is told in a sentence', async t => {
  const { port } = await playedPage(t)
  const { PageServer } = require('../../../lib/follow/page/server')
  const other = () => new PageServer(/** @type {any} */ ({}), { rules: { token: '', names: new Set(), anyAddress: false }, version: '', stop () {} })
  await t.rejects(other().listen({ host: '127.0.0.1', port }), { code: 'AC_VIEW', message: `--ui 127.0.0.1:${port}: that port is in use: give another one, or --ui alone for one that is free` })
  await t.rejects(other().listen({ host: '192.0.2.1', port: 0 }), { code: 'AC_VIEW', message: '--ui 192.0.2.1:0: this machine does not have that address' })
})
