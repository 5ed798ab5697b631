'use strict'

// Native sockets over a kernel that fails on demand (test/fixtures/add-on/faults.c): what it refuses, returns in parts or makes up leads to the right
// bytes or to an error of that socket, and to nothing else. test/net/sockets/sanitized.test.js repeats this with AddressSanitizer.

const t = require('tap')
const { once } = require('node:events')
const { readdirSync } = require('node:fs')
const net = require('node:net')
const { Worker } = require('node:worker_threads')
const { now } = require('../../../lib/core/clock')
const { Faults, CONTROL, buildFaulty, noCompiler } = require('../../helpers/add-on')
const { Listening, connectOver, openGroup, serveSockets, until } = require('../../helpers/native-sockets')

const skip = noCompiler()
if (skip) {
  t.test('native sockets over a kernel that fails', { skip }, () => {})
  return
}

const ERRNO = { EPERM: 1, EINTR: 4, EIO: 5, EBADF: 9, EAGAIN: 11, ENOMEM: 12, EMFILE: 24, ENOSPC: 28, EPIPE: 32, ENOPROTOOPT: 92, ECONNRESET: 104, ENOBUFS: 105, ETIMEDOUT: 110, ECONNREFUSED: 111, EHOSTUNREACH: 113 }
const FILE = buildFaulty(t)
const binding = require(FILE)
const faults = new Faults(binding)

/** Of libuv and the server, some go a little later. */
const descriptors = () => readdirSync('/proc/self/fd').length

/** @param {(socket: net.Socket) => void} onConnection */
function serve (t, onConnection) {
  t.teardown(() => faults.clear())
  return serveSockets(t, onConnection)
}

const open = (t, options) => openGroup(t, binding, options)

const MESSAGE = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz')

t.test('partial writes: whatever the kernel takes of each, the bytes arrive in order, once', async t => {
  for (const inTurn of [false, true]) {
    const received = []
    const { port } = await serve(t, socket => {
      socket.write('go')
      socket.on('data', bytes => received.push(bytes.toString()))
    })
    const sockets = open(t)
    const write = socket => { for (let i = 0; i < 4; i++) socket.write(MESSAGE) }
    const expected = MESSAGE.toString().repeat(4)
    /** @param {() => void} fail */
    const once = async (fail, name) => {
      received.length = 0
      fail()
      const { socket, events } = await connectOver(sockets, port, () => { if (inTurn) write(socket) })
      if (!inTurn) write(socket)
      await until(() => received.join('').length >= expected.length)
      if (received.join('') !== expected) t.fail(`${name}: ${received.join('')}`)
      t.notOk(events.some(event => event.startsWith('E')), `${name}: ${events}`)
      t.equal(socket.writableLength, 0)
      faults.clear()
      socket.destroy()
    }
    for (let size = 0; size <= MESSAGE.length; size++) {
      await once(() => faults.set('send', 'limit', size, { times: 3 }), `${size} bytes of the first`)
      if (size > 0) await once(() => faults.set('send', 'limit', size), `at most ${size} bytes of each`)
    }
    for (const name of ['EAGAIN', 'ENOBUFS', 'EINTR']) {
      for (let after = 0; after < 5; after++) await once(() => faults.set('send', 'errno', ERRNO[name], { after, times: 2 }), `${name} after ${after}`)
    }
  }
})

t.test('a thread that is preempted within a send: the clock starts when the bytes left, not when the call began', async t => {
  const { port } = await serve(t, socket => socket.resume())
  const sockets = open(t)
  for (const [preempted, leaves] of [[-150, 'at its end'], [150, 'at its beginning']]) {
    const { socket } = await connectOver(sockets, port)
    socket.write(MESSAGE)
    await new Promise(resolve => setTimeout(resolve, 50))
    faults.set('send', 'preempted', preempted, { times: 1 })
    const begun = now()
    socket.write(MESSAGE)
    const took = now() - begun
    const late = sockets.sentAfter(begun)
    t.ok(leaves === 'at its end' ? late > took / 2 : late < took / 2, `bytes that leave ${leaves}: ${late} of ${took} ms`)
    faults.clear()
    socket.destroy()
  }
})

t.test('reads that are interrupted, and reads that a signal comes before', async t => {
  const { port } = await serve(t, socket => socket.end(MESSAGE))
  for (const call of ['recv', 'recvmsg']) {
    for (const times of [1, 5, 15, 16, 40]) {
      const parts = []
      faults.set(call, 'errno', ERRNO.EINTR, { times })
      const { events } = await connectOver(open(t), port, bytes => parts.push(bytes))
      await until(() => events.length > 0)
      t.strictSame([events, Buffer.concat(parts).toString()], [['end'], MESSAGE.toString()], `${times} times`)
      faults.clear()
    }
  }
})

t.test('an error of a read or a write is that of its socket, with its code, and others go on', async t => {
  const { port } = await serve(t, socket => {
    socket.write('x')
    socket.on('data', () => socket.write('y'))
  })
  for (const name of ['ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'EPIPE', 'EIO', 'ENOMEM']) {
    const sockets = open(t)
    let other = 0
    const beside = await connectOver(sockets, port, () => { other++ })
    await until(() => other === 1)
    for (const call of ['recv', 'recvmsg']) faults.set(call, 'errno', ERRNO[name], { times: 1 })
    const { socket, events } = await connectOver(sockets, port)
    await until(() => events.length > 0)
    t.strictSame(events, [name])
    faults.clear()
    socket.destroy()

    const writer = await connectOver(sockets, port)
    faults.set('send', 'errno', ERRNO[name], { times: 1 })
    t.equal(writer.socket.write(MESSAGE), true)
    t.strictSame(writer.events, [], 'not before the write has returned')
    await until(() => writer.events.length > 0)
    t.strictSame(writer.events, [name])
    faults.clear()
    writer.socket.destroy()

    beside.socket.write(MESSAGE)
    await until(() => other === 2)
    t.strictSame(beside.events, [])
  }
})

t.test('lengths that no kernel returns: an error of the socket, and nothing is read or written beyond a buffer', async t => {
  const { port } = await serve(t, socket => {
    socket.write('hello')
    socket.on('data', () => {})
  })
  for (const value of [64 * 1024 + 1, 1024 * 1024, 2 ** 31 - 1]) {
    for (const call of ['recv', 'recvmsg']) faults.set(call, 'result', value)
    const { events, socket } = await connectOver(open(t), port)
    await until(() => events.length > 0)
    t.strictSame(events, ['EIO'])
    faults.clear()
    faults.set('send', 'result', value)
    socket.write(MESSAGE)
    await until(() => events.length > 1)
    t.strictSame(events, ['EIO', 'EIO'])
    faults.clear()
  }
  const sockets = open(t)
  const parts = []
  for (const value of [1, 255, 256, 257, 100_000, 2 ** 31 - 1, -7]) faults.set('epoll_wait', 'result', value, { times: 2 })
  const { socket } = await connectOver(sockets, port, bytes => parts.push(bytes))
  faults.set('epoll_wait', 'errno', ERRNO.EINTR, { times: 3 })
  await until(() => parts.length > 0)
  t.equal(Buffer.concat(parts).toString(), 'hello')
  for (const value of [256, 257, 100_000, 2 ** 31 - 1]) {
    faults.set('epoll_wait', 'result', value, { times: 1 })
    socket.write(MESSAGE)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
})

t.test('control data of any kind: the bytes are there, with a true arrival or with none', async t => {
  for (const kind of Object.keys(CONTROL)) {
    const seen = []
    const { port } = await serve(t, socket => socket.on('data', () => socket.write('answer')))
    const { socket, events } = await connectOver(open(t), port, (bytes, arrival, at) => seen.push({ text: bytes.toString(), arrival, at }))
    faults.set('recvmsg', 'control', CONTROL[kind])
    const before = faults.calls('recvmsg')
    const begun = performance.now()
    for (let i = 0; i < 20; i++) {
      socket.write(MESSAGE)
      await until(() => seen.length > i)
    }
    t.ok(faults.calls('recvmsg') > before, `${kind}: some reads asked for a stamp`)
    t.ok(seen.every(({ text, arrival, at }) => text === 'answer' && (arrival === undefined || (arrival >= begun && arrival <= at + 1))), kind)
    t.strictSame(events, [])
    faults.clear()
  }
})

t.test('the wall clock is set while the run goes on: no arrival is wrong', async t => {
  for (const step of [-3_600_000, -1000, -5, 5, 1000, 3_600_000]) {
    const seen = []
    const { port } = await serve(t, socket => socket.on('data', () => socket.write('answer')))
    const { socket } = await connectOver(open(t), port, (bytes, arrival, at) => seen.push({ arrival, at }))
    const begun = performance.now()
    const ask = async n => {
      for (const end = seen.length + n; seen.length < end;) {
        const { length } = seen
        socket.write(MESSAGE)
        await until(() => seen.length > length)
      }
    }
    await ask(5)
    // The kernel's stamps are those of the clock before: after the step none fits.
    faults.set('wall', 'result', step)
    await ask(5)
    faults.clear()
    await ask(5)
    t.ok(seen.every(({ arrival, at }) => arrival === undefined || (arrival >= begun && arrival <= at + 1)), `${step} ms: ${JSON.stringify(seen)}`)
  }
})

t.test('no stamps: what was read within 50 µs of the last poll has an arrival, all else none', async t => {
  for (const name of ['ENOPROTOOPT', 'EPERM']) {
    const seen = []
    const { port } = await serve(t, socket => socket.on('data', () => socket.write('answer')))
    faults.set('setsockopt', 'errno', ERRNO[name])
    const { socket } = await connectOver(open(t), port, (bytes, arrival, at) => seen.push({ arrival, late: at - arrival }))
    const before = faults.calls('recvmsg')
    for (let i = 0; i < 10; i++) {
      socket.write(MESSAGE)
      await until(() => seen.length > i)
    }
    t.equal(faults.calls('recvmsg'), before, 'none is asked for')
    t.ok(seen.every(({ arrival, late }) => arrival === undefined || late < 1), JSON.stringify(seen))
    faults.clear()
  }
})

t.test('what comes while the thread is preempted behind a poll has its arrival, and not the end of the wait', async t => {
  // In a thread of its own, so that it responds meanwhile: at once, or after a third of the wait.
  const wait = 30
  const server = new Worker(`
    const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer(socket => socket.on('data', bytes => setTimeout(() => socket.write(bytes), bytes.toString() === 'later' ? ${wait / 3} : 0)))
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`, { eval: true })
  t.teardown(() => server.terminate())
  const [port] = await once(server, 'message')
  const { open: openGroup } = binding
  t.teardown(() => { binding.open = openGroup })
  // A poll a few ms after the last one is soon enough for what has no stamp, or the time that this test takes would decide.
  binding.open = (...args) => openGroup(...args.slice(0, -1), wait / 3)
  const sockets = open(t)
  const seen = {}
  const lates = []
  const connected = await Promise.all(['later', 'now'].map(name => connectOver(sockets, port, (bytes, arrival, at) => { seen[name] = { arrival, late: at - arrival } })))
  for (let i = 0; i < 10; i++) {
    faults.set('epoll_wait', 'preempted', wait, { times: 1 })
    for (const [at, name] of ['later', 'now'].entries()) connected[at].socket.write(Buffer.from(name))
    await until(() => seen.later !== undefined && seen.now !== undefined)
    lates.push(seen.later.late)
    delete seen.later
    delete seen.now
  }
  // On a busy machine the server responds behind the wait in some rounds.
  t.ok(Math.max(...lates) > wait / 3, `read ${lates} ms after its arrival`)
})

t.test('urgent data ends a read early: what comes after it is read all the same', async t => {
  const { port, peers } = await serve(t, socket => socket.on('data', () => {
    socket.write('before ')
    binding.urgent(socket._handle.fd)
    socket.write(' after')
  }))
  const parts = []
  const { socket } = await connectOver(open(t), port, bytes => parts.push(bytes))
  for (let i = 1; i <= 5; i++) {
    socket.write(MESSAGE)
    await until(() => Buffer.concat(parts).toString().split('after').length > i)
  }
  t.equal(peers.length, 1)
})

t.test('no descriptor, no memory, no room in epoll: the socket is left to node:net, and nothing is lost', async t => {
  const { port } = await serve(t, socket => socket.pipe(socket))
  const sockets = open(t)
  for (const [call, name] of [['fcntl', 'EMFILE'], ['fcntl', 'EIO'], ['epoll_ctl', 'ENOSPC'], ['epoll_ctl', 'EPERM']]) {
    for (let after = 0; after < 3; after++) {
      const before = sockets.list.filter(socket => socket !== null).length
      faults.set(call, 'errno', ERRNO[name], { after, times: 1 })
      const socket = net.connect(port, '127.0.0.1').pause()
      await once(socket, 'connect')
      const adopted = sockets.adopt(socket, new Listening(() => {}))
      faults.clear()
      if (adopted === null) {
        t.equal(socket.destroyed, false, 'it goes on there')
        t.equal(sockets.list.filter(one => one !== null && one !== undefined).length, before)
        socket.destroy()
      } else adopted.destroy()
    }
  }
  // The list grows at 64, 128 and so on, by three pieces.
  for (let after = 0; after < 3; after++) {
    const some = open(t)
    faults.set('memory', 'errno', ERRNO.ENOMEM, { after, times: 1 })
    const { socket } = await connectOver(some, port)
    t.equal(socket, null)
    faults.clear()
    const parts = []
    const { socket: next } = await connectOver(some, port, bytes => parts.push(bytes))
    next.write(MESSAGE)
    await until(() => Buffer.concat(parts).length === MESSAGE.length)
  }
  for (let after = 0; after < 3; after++) {
    faults.set('memory', 'errno', ERRNO.ENOMEM, { after, times: 1 })
    const some = open(t)
    faults.clear()
    t.type(some.open, 'boolean')
  }
})

t.test('connections that fail: at once they are left to node:net, later they have their error, and nothing is left open', async t => {
  const { port } = await serve(t, socket => socket.pipe(socket))
  const sockets = open(t)
  const log = []
  const listening = new Listening(() => {})
  listening.on.error = error => log.push(error.code)
  const begin = () => sockets.connect({ host: '127.0.0.1', port }, 250, listening, () => log.push('ready'))
  const warm = begin()
  await until(() => log.length > 0)
  await new Promise(resolve => setTimeout(resolve, 5))
  const before = descriptors()
  for (const [call, name] of [['socket', 'EMFILE'], ['connect', 'EADDRNOTAVAIL'], ['connect', 'ENOMEM'], ['epoll_ctl', 'ENOSPC'], ['setsockopt', 'EPERM']]) {
    faults.set(call, 'errno', ERRNO[name] ?? 99, { times: 1 })
    t.equal(begin(), null, `${call} ${name}`)
    faults.clear()
  }
  t.equal(descriptors(), before)
  for (const name of ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH']) {
    for (const how of ['result', 'errno']) {
      log.length = 0
      faults.set('getsockopt', how, ERRNO[name], { times: 1 })
      const socket = begin()
      await until(() => log.length > 0)
      t.strictSame(log, [name])
      faults.clear()
      socket.destroy()
    }
  }
  await until(() => descriptors() <= before + 2)
  warm.destroy()
})

t.test('from a local address the port is left to connect, where the kernel has that option', async t => {
  const { port, peers } = await serve(t, socket => socket.pipe(socket))
  const sockets = open(t)
  const before = faults.calls('setsockopt')
  for (const after of [null, 1]) {
    // The second option, behind TCP_NODELAY.
    if (after !== null) faults.set('setsockopt', 'errno', ERRNO.ENOPROTOOPT, { after, times: 1 })
    let ready = 0
    const socket = sockets.connect({ host: '127.0.0.1', port, localAddress: '127.0.0.9' }, 250, () => true, () => ready++)
    faults.clear()
    await until(() => ready === 1)
    await until(() => peers.length === (after === null ? 1 : 2))
    t.equal(peers.at(-1).remoteAddress, '127.0.0.9')
    socket.destroy()
  }
  t.equal(faults.calls('setsockopt') - before, 8)
})

t.test('a socket that can not be reported again has that error', async t => {
  const { port } = await serve(t, socket => socket.end(Buffer.alloc(4 * 1024 * 1024)))
  const sockets = open(t)
  const large = await connectOver(sockets, port, () => faults.set('epoll_ctl', 'errno', ERRNO.ENOMEM))
  await until(() => large.events.length > 0)
  t.match(large.events[0], /^(ENOMEM|end)$/)
  large.socket.destroy()
  faults.clear()
  const { port: deaf } = await serve(t, socket => socket.pause())
  const { socket, events: written } = await connectOver(sockets, deaf)
  faults.set('epoll_ctl', 'errno', ERRNO.ENOMEM)
  faults.set('send', 'limit', 3)
  socket.write(MESSAGE)
  await until(() => written.length > 0)
  t.strictSame(written, ['ENOMEM'])
})

t.test('the end of the stream and a reset after each byte', async t => {
  for (let size = 0; size <= MESSAGE.length; size += 3) {
    for (const resets of [false, true]) {
      const { port } = await serve(t, socket => {
        const finish = () => resets ? socket.resetAndDestroy() : socket.end()
        socket.once('data', () => size === 0 ? finish() : socket.write(MESSAGE.subarray(0, size), finish))
      })
      const parts = []
      const { socket, events } = await connectOver(open(t), port, bytes => parts.push(bytes))
      socket.write(MESSAGE)
      await until(() => events.length > 0)
      const text = Buffer.concat(parts).toString()
      if (resets) {
        t.strictSame(events, ['ECONNRESET'])
        t.ok(MESSAGE.toString().startsWith(text))
      } else t.strictSame([events, text], [['end'], MESSAGE.toString().slice(0, size)])
      // Who goes on writing is told, and never ended by a signal.
      for (let i = 0; i < 3; i++) socket.write(MESSAGE)
      socket.destroy()
      t.equal(socket.write(MESSAGE), true, 'what is written to a closed socket goes nowhere')
    }
  }
})

t.test('sockets that are closed, and all of them closed, in each callback', async t => {
  const { port } = await serve(t, socket => {
    socket.write('x')
    socket.on('data', () => socket.write('y'))
    // Whatever goes to and fro: a quiet machine never pauses.
    setTimeout(() => socket.end(), 20)
  })
  for (const all of [false, true]) {
    for (const when of ['read', 'end', 'drain', 'full', 'error', 'write']) {
      const sockets = open(t)
      let done = false
      const list = []
      const stop = one => {
        if (done) return
        done = true
        one.write(MESSAGE)
        if (all) sockets.close()
        else for (const { socket } of list) socket.destroy()
        for (const { socket } of list) socket.write(MESSAGE)
      }
      for (let i = 0; i < 5; i++) {
        const one = await connectOver(sockets, port, () => {
          if (when === 'read') stop(one.socket)
          else one.socket.write(MESSAGE)
          if (when === 'write') stop(one.socket)
        })
        // All are closed already.
        if (one.socket === null) break
        one.on.end = () => stop(one.socket)
        if (when !== 'read' && when !== 'write') one.on[when] = () => stop(one.socket)
        list.push(one)
      }
      if (when === 'drain' || when === 'full') faults.set('send', 'limit', 2, { times: 40 })
      if (when === 'error') faults.set('send', 'errno', ERRNO.EPIPE, { times: 10 })
      list[0].socket.write(MESSAGE)
      await until(() => done)
      await new Promise(resolve => setTimeout(resolve, 2))
      faults.clear()
      for (const { socket } of list) socket.destroy()
    }
  }
  t.pass('nothing was thrown')
})

t.test('an exception of a listener is reported, and the other events of the turn come', async t => {
  const { port } = await serve(t, socket => socket.write('x'))
  const sockets = open(t)
  const connections = await Promise.all(Array.from({ length: 10 }, async () => {
    const socket = net.connect(port, '127.0.0.1').pause()
    await once(socket, 'connect')
    return socket
  }))
  await new Promise(resolve => setTimeout(resolve, 20))
  const seen = []
  const thrown = []
  const catcher = error => thrown.push(error.message)
  process.on('uncaughtException', catcher)
  for (const [i, socket] of connections.entries()) {
    sockets.adopt(socket, new Listening(() => {
      seen.push(i)
      throw new Error(`of ${i}`)
    }))
  }
  await until(() => seen.length === 10 && thrown.length === 10)
  process.off('uncaughtException', catcher)
  t.strictSame(thrown.map(text => Number(text.slice(3))).sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

t.test('many connections at once: each gets its own bytes', async t => {
  const { port } = await serve(t, socket => socket.pipe(socket))
  const sockets = open(t)
  const N = 1000
  const texts = Array.from({ length: N }, () => '')
  const all = []
  for (let i = 0; i < N; i += 50) {
    all.push(...await Promise.all(Array.from({ length: 50 }, (_, j) => connectOver(sockets, port, bytes => { texts[i + j] += bytes }))))
  }
  for (const [i, { socket }] of all.entries()) socket.write(Buffer.from(`connection ${i}`))
  await until(() => texts.every((text, i) => text === `connection ${i}`))
  for (const { socket } of all) socket.destroy()
  t.strictSame(all.flatMap(({ events }) => events), [])
})

t.test('memory and descriptors are given back: of sockets, of groups that are closed in any order, and of threads', async t => {
  const { port } = await serve(t, socket => {
    socket.on('data', bytes => socket.write(bytes))
    socket.on('end', () => socket.end())
  })
  await new Promise(resolve => setTimeout(resolve, 20))
  const [pieces, before] = [binding.pieces(), descriptors()]
  for (let i = 0; i < 5; i++) {
    const groups = [open(t), open(t), open(t)]
    for (const sockets of groups) for (let j = 0; j < 3; j++) await connectOver(sockets, port)
    for (const j of [i % 3, (i + 1) % 3, (i + 2) % 3]) groups[j].close()
  }
  await until(() => binding.pieces() === pieces && descriptors() <= before)

  const source = `
    const net = require('node:net')
    const { parentPort, workerData } = require('node:worker_threads')
    const { NativeSockets } = require(workerData.sockets)
    const binding = require(workerData.file)
    const clock = { now: () => performance.now(), real: () => performance.now(), at: real => real }
    const again = one => ({ received: () => one().write(Buffer.from('again')), drained () {}, filled () {}, lost () {} })
    const groups = [1, 2].map(() => new NativeSockets(binding, { clock, arrivals: true, batches: true }))
    parentPort.postMessage('begun')
    for (let i = 0; i < 20; i++) {
      if (i < 10) {
        const socket = net.connect(workerData.port, '127.0.0.1', () => {
          const one = groups[i % 2].adopt(socket, again(() => one))
          one.write(Buffer.from('hello'))
        })
      } else {
        const one = groups[i % 2].connect({ host: '127.0.0.1', port: workerData.port }, 250, again(() => one), () => one.write(Buffer.from('hello')))
      }
    }`
  const workerData = { port, file: FILE, sockets: require.resolve('../../../lib/net/sockets/native-sockets') }
  // The main thread has sockets of its own meanwhile.
  const sockets = open(t)
  let read = 0
  const { socket } = await connectOver(sockets, port, () => {
    read++
    socket.write(MESSAGE)
  })
  socket.write(MESSAGE)
  for (let i = 0; i < 17; i++) {
    // Three at once are terminated, each at another moment of its life.
    await Promise.all([0, 1, 2].map(async j => {
      const worker = new Worker(source, { eval: true, workerData })
      if (i % 4 > 0) await once(worker, 'message')
      await new Promise(resolve => setTimeout(resolve, (3 * i + j) % 13))
      await worker.terminate()
    }))
  }
  const until50 = read
  await until(() => read > until50)
  t.pass('the sockets of the main thread go on')
  socket.destroy()
  sockets.close()
  await until(() => binding.pieces() === pieces && descriptors() <= before)
})
