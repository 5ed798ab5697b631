'use strict'

const t = require('tap')
const { once } = require('node:events')
const { readdirSync } = require('node:fs')
const net = require('node:net')
const { Worker } = require('node:worker_threads')
const { load } = require('../../../lib/net/sockets/binding')
const { Listening, connectOver, openGroup, serveSockets, until } = require('../../helpers/native-sockets')

if (process.platform !== 'linux') {
  t.match(load(), { binding: null, reason: /need Linux/ })
  return
}

const { binding } = load()

t.test('the add-on is built by npm ci and can be loaded', async t => {
  t.strictSame(Object.keys(binding), ['open', 'close', 'adopt', 'connect', 'flush', 'send', 'end'])
})

const open = (t, options) => openGroup(t, binding, options)

const pattern = size => Buffer.from(Uint8Array.from({ length: size }, (_, i) => i * 31 % 251))

t.test('bytes go to and fro', async t => {
  const { port } = await serveSockets(t, socket => socket.pipe(socket))
  const parts = []
  const { socket, events } = await connectOver(open(t), port, bytes => parts.push(bytes))
  t.equal(socket.write(Buffer.from('hello')), true)
  await until(() => Buffer.concat(parts).length === 5)
  t.equal(Buffer.concat(parts).toString(), 'hello')
  t.strictSame(events, [])
})

t.test('what is written in a turn goes out at its end, equal bytes copied once, in the order of the writes', async t => {
  const received = []
  const { port } = await serveSockets(t, socket => {
    socket.write('go')
    socket.on('data', bytes => received.push(bytes.toString()))
  })
  const sockets = open(t)
  const request = Buffer.from('request ')
  const { socket } = await connectOver(sockets, port, () => {
    for (let i = 0; i < 3; i++) socket.write(request)
    socket.write(Buffer.from('last'))
    t.equal(sockets.count, 4, 'not yet')
    t.equal(sockets.used, 12, 'three are one')
  })
  await until(() => received.join('').endsWith('last'))
  t.equal(received.join(''), 'request request request last')
})

t.test('bytes that are made where they go out from leave in the order of the writes', async t => {
  const received = []
  const { port } = await serveSockets(t, socket => {
    socket.write('go')
    socket.on('data', bytes => received.push(bytes.toString()))
  })
  const sockets = open(t)
  t.equal(sockets.reserve(1), -1, 'not outside of a turn')
  const same = Buffer.from('same ')
  const put = text => {
    const at = socket.reserve(text.length)
    socket.output.write(text, at, 'latin1')
    socket.commit(text.length)
  }
  const { socket } = await connectOver(sockets, port, () => {
    socket.write(same)
    put('first ')
    socket.write(same)
    put('second ')
    socket.write(Buffer.from('other '))
    put('third')
    t.equal(socket.reserve(16 * 1024 + 1), -1, 'what is long is written at once')
    t.equal(sockets.used, 'same first second other third'.length, 'equal bytes are copied once')
  })
  await until(() => received.join('').endsWith('third'))
  t.equal(received.join(''), 'same first same second other third')
})

t.test('there is no room when it is full, or when the kernel has not taken what came before', async t => {
  const { port } = await serveSockets(t, socket => socket.write('go').valueOf() && socket.pause())
  const sockets = open(t)
  let rooms = 0
  let bytes = ''
  const { socket } = await connectOver(sockets, port, read => {
    bytes += read
    for (let at; (at = socket.reserve(10_000)) !== -1; rooms++) {
      socket.output.fill('x', at, at + 10_000)
      socket.commit(10_000)
    }
  })
  await until(() => bytes === 'go')
  t.equal(rooms, 26, '256 KiB')
  while (socket.write(pattern(100_000)));
  sockets.together(() => t.equal(socket.reserve(1), -1))
})

t.test('a peer that does not read: what the kernel has not taken follows in order, byte for byte', async t => {
  for (const inTurn of [false, true]) {
    let reader
    const received = []
    const { port } = await serveSockets(t, socket => {
      reader = socket.pause()
      socket.write('go')
      socket.on('data', bytes => received.push(bytes))
    })
    const sockets = open(t)
    const chunks = Array.from({ length: 900 }, (_, i) => pattern(10_000 + i))
    const write = () => { for (const chunk of chunks) socket.write(chunk) }
    const { socket, events } = await connectOver(sockets, port, () => { if (inTurn) write() })
    if (!inTurn) write()
    await until(() => socket.writableLength > 0)
    t.equal(socket.write(chunks[0]), false, 'it takes no more')
    reader.resume()
    const expected = Buffer.concat([...chunks, chunks[0]])
    await until(() => received.reduce((sum, { length }) => sum + length, 0) === expected.length)
    t.ok(Buffer.concat(received).equals(expected))
    t.equal(socket.writableLength, 0)
    t.equal(events.at(-1), 'drain')
    if (inTurn) t.ok(events.includes('full'), 'who wrote in a turn hears of it at its end')
  }
})

t.test('an empty write is none', async t => {
  const { port, peers } = await serveSockets(t, () => {})
  for (const batches of [true, false]) {
    const { socket, events } = await connectOver(open(t, { batches }), port)
    t.equal(socket.write(Buffer.alloc(0)), true)
    socket.write(Buffer.from('x'))
    await until(() => peers.length > 0 && peers.at(-1).bytesRead === 1)
    t.strictSame(events, [])
  }
})

t.test('bodies that are larger than a turn has room for', async t => {
  const body = pattern(20 * 1024 * 1024)
  const { port } = await serveSockets(t, socket => socket.end(body))
  const parts = []
  const { events } = await connectOver(open(t), port, bytes => parts.push(bytes))
  await until(() => events.length > 0)
  t.strictSame(events, ['end'])
  t.ok(Buffer.concat(parts).equals(body))
})

t.test('the end of the stream, right behind the last bytes or later', async t => {
  for (const wait of [0, 20]) {
    const { port } = await serveSockets(t, socket => {
      socket.write('bye')
      setTimeout(() => socket.end(), wait)
    })
    const parts = []
    const { events } = await connectOver(open(t), port, bytes => parts.push(bytes))
    await until(() => events.length > 0)
    t.strictSame([events, Buffer.concat(parts).toString()], [['end'], 'bye'])
  }
})

t.test('a reset has the code that it has with node:net, at a read and at a write', async t => {
  let peer
  const { port } = await serveSockets(t, socket => { peer = socket })
  const { events } = await connectOver(open(t), port)
  await until(() => peer !== undefined)
  peer.resetAndDestroy()
  await until(() => events.length > 0)
  t.strictSame(events, ['ECONNRESET'])

  const { socket, events: written } = await connectOver(open(t), port)
  socket.number = 12345
  t.equal(socket.write(Buffer.from('x')), true)
  t.strictSame(written, [], 'not before the write has returned')
  await until(() => written.length > 0)
  t.strictSame(written, ['EBADF'])
})

t.test('a reset while bytes wait is ECONNRESET: a write that the room in the buffer allows would be EPIPE', async t => {
  let peer
  const { port } = await serveSockets(t, socket => { peer = socket.pause() })
  const { socket, events, on } = await connectOver(open(t), port)
  await until(() => peer !== undefined)
  on.error = error => {
    events.push(error.code)
    socket.destroy()
  }
  while (socket.write(pattern(100_000)));
  peer.resetAndDestroy()
  await until(() => events.length > 0)
  t.strictSame(events, ['ECONNRESET'])
})

t.test('a socket that is closed in a turn hears nothing more, and no other has its number before the turn is over', async t => {
  const { port } = await serveSockets(t, socket => socket.write('hello'))
  const sockets = open(t)
  const heard = []
  const waiting = net.connect(port, '127.0.0.1').pause()
  await once(waiting, 'connect')
  let adopted
  const all = []
  const connected = await Promise.all([1, 2].map(async () => {
    // node:net is not to read what has come before they are adopted.
    const socket = net.connect(port, '127.0.0.1').pause()
    await once(socket, 'connect')
    return socket
  }))
  await new Promise(resolve => setTimeout(resolve, 20))
  for (const socket of connected) {
    const one = sockets.adopt(socket, new Listening(() => {
      heard.push(one.number)
      for (const other of all) other.destroy()
      adopted ??= sockets.adopt(waiting, new Listening(() => {}))
    }))
    all.push(one)
  }
  await until(() => heard.length > 0)
  await new Promise(resolve => setTimeout(resolve, 20))
  t.equal(heard.length, 1)
  t.notOk(all.some(({ number }) => number === adopted.number))
})

t.test('a response has its arrival time, however late it is read', async t => {
  const { port } = await serveSockets(t, socket => socket.on('data', () => socket.write('answer')))
  const seen = []
  const { socket } = await connectOver(open(t), port, (bytes, arrival, at) => seen.push({ arrival, at }))
  // The kernel switches stamps on a little after it was asked to.
  await until(() => {
    if (seen.length === 0) socket.write(Buffer.from('x'))
    return seen.length > 20 || (seen.length > 0 && socket.write(Buffer.from('x')) && false)
  })
  const before = seen.length
  // The server is in this process: what it sent is in the kernel before the thread is blocked.
  socket.write(Buffer.from('x'))
  await until(() => seen.length > before)
  const { arrival, at } = seen.at(-1)
  t.ok(arrival <= at, `${arrival} ≤ ${at}`)
  const unknown = seen.filter(({ arrival }) => arrival === undefined).length
  t.ok(unknown < seen.length / 2, `${unknown} of ${seen.length} without`)
})

t.test('a thread that is preempted while a group is opened: its clock is that of JavaScript all the same', async t => {
  for (const preempted of [0, 1, 3, 100]) {
    const groups = []
    const closed = []
    const late = {
      ...binding,
      // The add-on looks at its clock 5 ms after JavaScript did.
      open (...given) {
        if (groups.length < preempted) given[8] -= 5
        groups.push(binding.open(...given))
        return groups.at(-1)
      },
      close (group) {
        closed.push(group)
        binding.close(group)
      }
    }
    const sockets = openGroup(t, late)
    t.equal(sockets.group, groups.at(-1))
    if (preempted < 10) t.ok(groups.length > preempted, `${groups.length} tries`)
    else t.equal(groups.length, 10, 'not for ever')
    t.equal(closed.length, groups.length - 1)
    sockets.close()
  }
})

t.test('without arrival times there are none', async t => {
  const { port } = await serveSockets(t, socket => socket.write('answer'))
  const seen = []
  await connectOver(open(t, { arrivals: false }), port, (bytes, arrival) => seen.push(arrival))
  await until(() => seen.length > 0)
  t.strictSame(seen, [undefined])
})

t.test('what is no group, no socket or no buffer is refused, and nothing is read or written beyond one', async t => {
  t.throws(() => binding.flush(12345, 1), /no such group/)
  t.throws(() => binding.adopt(-1, 1), /no such group/)
  t.throws(() => binding.end('x', 1), /no such group/)
  const typed = [new Uint8Array(2 * 64 * 1024), new Uint8Array(64), new Int32Array(30), new Float64Array(10), new Int32Array(40), new Float64Array(10), new Float64Array(2)]
  const EINVAL = -22
  for (let i = 0; i < typed.length; i++) {
    const short = typed.map((array, j) => i === j ? array.subarray(0, i < 1 ? 100 : 0) : array)
    t.equal(binding.open(() => {}, ...short, 0, 1), EINVAL)
    t.equal(binding.open(() => {}, ...typed.map((array, j) => i === j ? [] : array), 0, 1), EINVAL)
  }
  const group = binding.open(() => {}, ...typed, 0, 1)
  t.ok(group >= 0)
  t.ok(binding.adopt(group, 99_999) < 0)
  const [,, , , sends] = typed
  for (const [offset, length] of [[60, 10], [-1, 5], [0, -1], [2 ** 31 - 1, 2 ** 31 - 1]]) {
    sends.set([0, offset, length, 7])
    t.equal(binding.flush(group, 1), 1)
    t.equal(sends[3], EINVAL)
  }
  t.equal(binding.flush(group, 1000), 10, 'not more than there is room for')
  t.equal(binding.flush(group, -1), 0)
  t.equal(binding.send(group, 0, 'text', 0), EINVAL)
  t.equal(binding.send(group, 0, Buffer.from('x'), 2), EINVAL)
  t.equal(binding.send(group, 0, Buffer.from('x'), -1), EINVAL)
  binding.end(group, 77)
  binding.close(group)
  t.throws(() => binding.close(group), /no such group/)
})

t.test('descriptors are closed: with the sockets, with the group, and with a thread that is terminated', async t => {
  const { port } = await serveSockets(t, socket => socket.pipe(socket))
  const count = () => readdirSync('/proc/self/fd').length
  await new Promise(resolve => setTimeout(resolve, 50))
  const before = count()
  const source = `
    const net = require('node:net')
    const { parentPort, workerData } = require('node:worker_threads')
    const { NativeSockets } = require(workerData.file)
    const { binding } = require(workerData.binding).load()
    const clock = { now: () => performance.now(), real: () => performance.now(), at: real => real }
    const sockets = new NativeSockets(binding, { clock, arrivals: true, batches: true })
    let open = 0
    for (let i = 0; i < 20; i++) {
      const socket = net.connect(workerData.port, '127.0.0.1', () => {
        const one = sockets.adopt(socket, { received: () => one.write(Buffer.from('again')), drained () {}, filled () {}, lost () {} })
        one.write(Buffer.from('hello'))
        if (++open === 20) parentPort.postMessage('open')
      })
    }`
  for (let i = 0; i < 5; i++) {
    const worker = new Worker(source, { eval: true, workerData: { port, file: require.resolve('../../../lib/net/sockets/native-sockets'), binding: require.resolve('../../../lib/net/sockets/binding') } })
    await once(worker, 'message')
    await worker.terminate()
  }
  const sockets = open(t)
  for (let i = 0; i < 5; i++) await connectOver(sockets, port)
  sockets.close()
  const late = net.connect(port, '127.0.0.1')
  t.equal(sockets.adopt(late, new Listening(() => {})), null, 'it takes none any more')
  late.destroy()
  await until(() => count() <= before + 2)
  t.pass('nothing is left open')
})
