'use strict'

// WebSockets of user functions against servers that lie, stall, close and reset at each point, and functions that race, throw and never read: each run ends,
// each request has one fate, and no socket stays.

const t = require('tap')
const net = require('node:net')
const { createHash } = require('node:crypto')
const { once } = require('node:events')
const autocannon = require('../..')
const { randomFrom } = require('../../lib/core/random')
const { conserves } = require('../helpers/results/conservation')
const { cases } = require('../helpers/effort')

// Without run.js the time of tap is 30 s.
t.setTimeout(240_000)
// Most of them wait for a timeout.
t.jobs = 8

const accept = key => createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

const HEAD = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'

/** @type {(opcode: number, text?: string | Buffer) => Buffer} */
const frame = (opcode, text = '') => Buffer.concat([Buffer.from([0x80 | opcode, Buffer.byteLength(text)]), Buffer.from(text)])

/** What a server does in place of an echo, by the moment. */
const DEEDS = {
  /** @type {Record<string, (socket: net.Socket, key: string) => void>} */
  handshake: {
    refuses: socket => socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno'),
    lies: socket => socket.write(`${HEAD}Sec-WebSocket-Accept: AAAA\r\n\r\n`),
    closes: socket => socket.end(),
    resets: socket => socket.resetAndDestroy(),
    stalls: () => {},
    'sends garbage': socket => socket.write('\0\0\0HTTP'),
    'closes at once': (socket, key) => socket.write(Buffer.concat([Buffer.from(`${HEAD}Sec-WebSocket-Accept: ${accept(key)}\r\n\r\n`), frame(8, Buffer.from([3, 232]))])),
    'is half there': (socket, key) => socket.write(`${HEAD}Sec-WebSocket-Accept: ${accept(key).slice(0, 9)}`)
  },
  /** @type {Record<string, (socket: net.Socket) => void>} */
  message: {
    closes: socket => socket.end(),
    resets: socket => socket.resetAndDestroy(),
    stalls: () => {},
    'says goodbye': socket => socket.write(frame(8, Buffer.from([3, 243]))),
    'sends half a frame': socket => socket.write(Buffer.from([0x81, 100, 65])),
    'sets a reserved bit': socket => socket.write(Buffer.from([0xf1, 1, 65])),
    masks: socket => socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 65])),
    'sends invalid UTF-8': socket => socket.write(frame(1, Buffer.from([0xff, 0xfe]))),
    'continues nothing': socket => socket.write(frame(0, 'a')),
    'sends unrequested messages': socket => socket.write(Buffer.concat(Array.from({ length: 50 }, () => frame(1, 'news')))),
    'pings a lot': socket => socket.write(Buffer.concat(Array.from({ length: 50 }, () => frame(9, 'x'))))
  }
}

/**
 * @param {any} t
 * @param {(moment: 'handshake' | 'message') => string | undefined} deed what it does in place of an echo
 */
async function hostileServer (t, deed) {
  const sockets = new Set()
  const server = net.createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    let isOpen = false
    socket.on('data', bytes => {
      if (socket.destroyed) return
      if (isOpen) {
        const opcode = bytes[0] & 15
        const act = opcode === 8 ? undefined : deed('message')
        if (act !== undefined) return DEEDS.message[act](socket)
        const payload = bytes.subarray(6).map((byte, i) => byte ^ bytes[2 + i % 4])
        const echo = frame(opcode === 9 ? 10 : opcode, Buffer.from(payload.subarray(0, bytes[1] & 127)))
        return opcode === 8 ? socket.end(echo) : socket.write(echo)
      }
      const key = /Sec-WebSocket-Key: (.*)\r\n/i.exec(bytes.toString('latin1'))?.[1]
      if (key === undefined) return socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      const act = deed('handshake')
      if (act !== undefined) return DEEDS.handshake[act](socket, key)
      isOpen = true
      socket.write(`${HEAD}Sec-WebSocket-Accept: ${accept(key)}\r\n\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${server.address().port}`, sockets }
}

/** @type {(t: any, sockets: Set<any>) => Promise<void>} */
async function allClosed (t, sockets) {
  for (let i = 0; i < 200 && sockets.size > 0; i++) await new Promise(resolve => setTimeout(resolve, 25))
  t.equal(sockets.size, 0, 'no socket stays')
}

for (const [moment, deeds] of Object.entries(DEEDS)) {
  for (const deed of Object.keys(deeds)) {
    t.test(`a server that ${deed} at the ${moment}`, async t => {
      const { url, sockets } = await hostileServer(t, now => now === moment ? deed : undefined)
      const seen = new Set()
      const result = await autocannon({
        url, connections: 2, amount: '4 iterations', timeout: 0.5, user: async ({ ws }) => {
          try {
            const socket = await ws('/')
            await Promise.all([socket.request('a'), socket.request('b')])
            await socket.close()
          } catch (error) {
            seen.add(error.code)
            throw error
          }
        }
      })
      const { errors, fates: { sent, timedOut, failed } } = result
      // A message that is read where no request is in flight may be an error, too.
      conserves(t, result, { neverSent: errors - timedOut - failed })
      if (moment === 'handshake') t.match({ errors, sent }, { errors: 4, sent: 0 })
      t.ok([...seen].every(code => /^(AC_[A-Z0-9_]+|E[A-Z]+)$/.test(code)), `codes of ours: ${[...seen]}`)
      t.equal(result.iterations.completed + result.iterations.cut, result.iterations.started)
      await allClosed(t, sockets)
    })
  }
}

t.test('scenarios that wait for a message of each of these servers: each iteration ends, and each wait has one fate', t => Promise.all(
  Object.entries(DEEDS).flatMap(([moment, deeds]) => Object.keys(deeds).map(async deed => {
    const { url, sockets } = await hostileServer(t, now => now === moment ? deed : undefined)
    const ends = await autocannon({
      url, connections: 2, amount: '4 iterations', timeout: 0.5, requests: [
        { ws: '/', as: 'a' }, { send: 'a', on: 'a', match: 'none' },
        { parallel: [{ receive: 'next', on: 'a' }, { receive: 'json a.b[0] or body == 1', on: 'a' }, { requests: [{ ws: '/', as: 'a' }, { send: 'b', on: 'a', match: 'none' }, { receive: 'next', count: 60, on: 'a' }] }] }
      ]
    })
    const { errors, fates: { timedOut, failed }, iterations } = ends
    conserves(t, ends, { neverSent: errors - timedOut - failed })
    t.equal(iterations.cut, iterations.started, deed)
    await allClosed(t, sockets)
  }))
))

t.test('all of it at once, with functions that race, throw, never read and leave sockets open', async t => {
  const random = randomFrom(11)
  const pick = list => list[Math.floor(random() * list.length)]
  const { url, sockets } = await hostileServer(t, moment => random() < 0.15 ? pick(Object.keys(DEEDS[moment])) : undefined)
  const kinds = [
    async ({ ws }) => { const socket = await ws('/'); for (let i = 0; i < 3; i++) await socket.request(`m${i}`) },
    async ({ ws }) => { const socket = await ws('/'); await Promise.race([socket.request('a'), socket.request('b'), socket.request('c')]) },
    async ({ ws }) => { (await ws('/')).request('nothing waits for it').catch(() => {}) },
    async ({ ws, pause }) => { const [a, b] = await Promise.all([ws('/a'), ws('/b')]); a.send('x'); await pause('5ms'); await b.ping().catch(() => {}) },
    async ({ ws }) => { const socket = await ws('/'); await socket.request('a'); throw Object.assign(new Error('mine'), { code: 'AC_MINE' }) },
    async ({ ws, pause }) => { const socket = await ws('/'); socket.send('x'); await Promise.race([socket[Symbol.asyncIterator]().next().catch(() => {}), pause('50ms')]) },
    async ({ ws, http }) => { await http.get('/'); const socket = await ws('/'); await socket.close(3000, 'bye') }
  ]
  const result = await autocannon({
    url, connections: 8, amount: `${cases(600, 200)} iterations`, timeout: 0.3, keepGoing: true, user: api => pick(kinds)(api)
  })
  const { errors, fates: { timedOut, failed } } = result
  conserves(t, result, { neverSent: errors - timedOut - failed })
  t.equal(result.iterations.completed + result.iterations.cut, result.iterations.started)
  t.ok(result.iterations.completed > 0 && result.iterations.cut > 0, `${result.iterations.completed} completed, ${result.iterations.cut} aborted`)
  await allClosed(t, sockets)
})

t.test('a run that is stopped at any moment', async t => {
  const { url, sockets } = await hostileServer(t, () => undefined)
  for (let i = 0; i < cases(20, 6); i++) {
    const instance = autocannon({
      url, connections: 5, duration: 10, user: async ({ ws }) => {
        const socket = await ws('/')
        for (let n = 0; n < 5; n++) await socket.request(`m${n}`)
      }
    })
    setTimeout(() => instance.stop(), 20 + 15 * i)
    conserves(t, await instance)
  }
  await allClosed(t, sockets)
})
