'use strict'

// How native sockets are connected: to addresses, Unix sockets and names, with the errors of node:net.

const t = require('tap')
const { once } = require('node:events')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { NativeSocket } = require('../../../lib/net/sockets/native-socket')
const { load } = require('../../../lib/net/sockets/binding')
const { closedPort } = require('../../helpers/servers/http-server')
const { Listening, openGroup, until } = require('../../helpers/native-sockets')
const { shortFolder } = require('../../helpers/short-folder')

if (process.platform !== 'linux') {
  t.match(load(), { binding: null, reason: /need Linux/ })
  return
}

const { binding } = load()

const open = (t, given = binding) => openGroup(t, given)

/** @param {any} where of net.Server.listen */
async function echo (t, where) {
  const peers = []
  const server = net.createServer(socket => {
    peers.push(socket.on('error', () => {}))
    socket.pipe(socket)
  })
  server.listen(where)
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const peer of peers) peer.destroy()
  })
  return { server, peers, port: server.address().port }
}

/**
 * @param {NativeSockets} sockets
 * @param {any} where
 */
function connect (sockets, where, patience = 250) {
  const log = { socket: null, text: '', ready: 0, errors: [], ends: 0 }
  const listening = new Listening((size, buffer, start) => { log.text += buffer.toString('latin1', start, start + size) })
  listening.on.error = error => log.errors.push(error)
  listening.on.end = () => log.ends++
  log.socket = sockets.connect(where, patience, listening, socket => {
    log.ready++
    if (socket !== log.socket) log.errors.push(new Error('another socket'))
  })
  return log
}

const REFUSED = { code: 'ECONNREFUSED', errno: -111, syscall: 'connect' }

t.test('to IPv4, IPv6 and a Unix socket, and from a local address', async t => {
  const folder = shortFolder(t)
  const unix = [path.join(folder, 's'), path.join(folder, 's'.repeat(107 - folder.length))]
  t.equal(unix[1].length, 108, 'the longest')
  const places = [[{ port: 0, host: '127.0.0.1' }, port => ({ host: '127.0.0.1', port })], ...unix.map(path => [{ path }, () => ({ path })]), [{ port: 0, host: '127.0.0.1' }, port => ({ host: '127.0.0.1', port, localAddress: '127.0.0.9' })]]
  if (Object.values(os.networkInterfaces()).flat().some(({ address }) => address === '::1')) places.push([{ port: 0, host: '::1' }, port => ({ host: '::1', port })])
  for (const [listening, whereOf] of places) {
    const { port, peers } = await echo(t, listening)
    const where = whereOf(port)
    const log = connect(open(t), where)
    t.equal(log.ready, 0, 'not before it has returned')
    await until(() => log.ready === 1)
    log.socket.write(Buffer.from('hello'))
    await until(() => log.text === 'hello')
    if (where.localAddress) t.equal(peers[0].remoteAddress, where.localAddress)
    peers[0].end()
    await until(() => log.ends === 1)
    t.strictSame(log.errors, [])
  }
})

t.test('bytes that come with the connection', async t => {
  const server = net.createServer(socket => socket.end('hello')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const sockets = open(t)
  const logs = Array.from({ length: 50 }, () => connect(sockets, { host: '127.0.0.1', port: server.address().port }))
  await until(() => logs.every(({ ends }) => ends === 1))
  t.ok(logs.every(({ text, ready, errors }) => text === 'hello' && ready === 1 && errors.length === 0))
})

t.test('an address that refuses has the error of node:net', async t => {
  const port = await closedPort()
  const [theirs] = await once(net.connect(port, '127.0.0.1'), 'error')
  const log = connect(open(t), { host: '127.0.0.1', port })
  // Where the kernel says so at once, node:net is asked.
  if (log.socket === null) return
  await until(() => log.errors.length > 0)
  const [ours] = log.errors
  t.strictSame([ours.message, ours.code, ours.errno, ours.syscall, ours.address, ours.port], [theirs.message, theirs.code, theirs.errno, theirs.syscall, theirs.address, theirs.port])
  t.equal(log.ready, 0)
})

t.test('what fails at once is left to node:net', async t => {
  const sockets = open(t)
  for (const where of [{ path: '/no/such/socket' }, { path: 'x'.repeat(200) }, { path: '' }, { host: 'no address', port: 1 }, { host: '127.0.0.1', port: 70_000 }, { host: '127.0.0.1', port: 1, localAddress: '192.0.2.1' }, { host: '127.0.0.1', port: 1, localAddress: '::1' }, { host: '127.0.0.1', port: 1, localAddress: 'x' }]) {
    t.equal(sockets.connect(where, 250, new Listening(() => {}), () => t.fail('it is not ready')), null, JSON.stringify(where))
  }
  t.strictSame(sockets.list.filter(one => one !== null), [])
  sockets.close()
  t.equal(sockets.connect({ host: '127.0.0.1', port: 1 }, 250, new Listening(() => {}), () => {}), null)
})

t.test('a name: its addresses one after the other, until one is connected', async t => {
  const { port } = await echo(t, { port: 0, host: '127.0.0.1' })
  const lookups = []
  const where = (addresses, more) => ({ host: 'a.test', port, lookup: (...given) => { lookups.push(given.slice(0, 2)); given[2](null, addresses.map(address => ({ address, family: net.isIP(address) }))) }, ...more })
  const sockets = open(t)
  for (const addresses of [['127.0.0.1'], ['127.0.0.7', '127.0.0.1'], ['127.0.0.7', '127.0.0.8', '127.0.0.1']]) {
    const log = connect(sockets, where(addresses))
    await until(() => log.ready + log.errors.length > 0)
    log.socket.write(Buffer.from('x'))
    await until(() => log.text === 'x')
    t.strictSame([log.ready, log.errors], [1, []], addresses.join())
  }
  t.match(lookups[0], ['a.test', { all: true }])
  const all = connect(sockets, where(['127.0.0.7', '127.0.0.8']))
  await until(() => all.errors.length > 0)
  t.match(all.errors, [{ ...REFUSED, syscall: undefined, errno: undefined, errors: [{ ...REFUSED, address: '127.0.0.7', port }, { ...REFUSED, address: '127.0.0.8' }] }])
  const one = connect(sockets, where(['127.0.0.7']))
  await until(() => one.errors.length > 0)
  t.match(one.errors, [{ ...REFUSED, message: `connect ECONNREFUSED 127.0.0.7:${port}` }])
  await new Promise(resolve => setTimeout(resolve, 5))
  t.equal(all.errors.length, 1)
})

t.test('a name that can not be looked up has that error, after connect has returned', async t => {
  for (const later of [false, true]) {
    const error = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    const log = connect(open(t), { host: 'a.test', port: 1, lookup: (name, options, callback) => later ? setImmediate(callback, error) : callback(error) })
    t.strictSame(log.errors, [])
    await until(() => log.errors.length > 0)
    t.strictSame(log.errors, [error])
  }
})

t.test('a socket that is given up while it is looked up or connected hears nothing more', async t => {
  const { port, peers } = await echo(t, { port: 0, host: '127.0.0.1' })
  const sockets = open(t)
  const callbacks = []
  const named = connect(sockets, { host: 'a.test', port, lookup: (name, options, callback) => callbacks.push(callback) })
  named.socket.destroy()
  callbacks[0](null, [{ address: '127.0.0.1', family: 4 }])
  const failing = connect(sockets, { host: 'a.test', port, lookup: (name, options, callback) => callback(new Error('no')) })
  failing.socket.destroy()
  const direct = connect(sockets, { host: '127.0.0.1', port })
  direct.socket.destroy()
  const next = connect(sockets, { host: '127.0.0.1', port })
  await until(() => next.ready === 1)
  t.strictSame([named, failing, direct].map(({ ready, errors }) => [ready, errors]), [[0, []], [0, []], [0, []]])
  await until(() => peers.length === 2)
})

t.test('an address that says nothing is given up after its time, both families in turn, and the last one is waited for', async t => {
  const tried = []
  const ended = []
  // No kernel: what is tried never answers.
  const silent = { open: () => 0, connect: (group, address) => tried.push(address) - 1, end: (group, number) => ended.push(number), flush: () => 0, close () {} }
  const sockets = open(t, silent)
  const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '::1'].map(address => ({ address, family: net.isIP(address) }))
  const log = connect(sockets, { host: 'a.test', port: 1, lookup: (name, options, callback) => callback(null, addresses) }, 5)
  await until(() => tried.length === 4)
  t.strictSame(tried, ['127.0.0.1', '::1', '127.0.0.2', '127.0.0.3'])
  await new Promise(resolve => setTimeout(resolve, 20))
  t.strictSame([ended, log.errors, log.ready], [[0, 1, 2], [], 0])
  // It is connected in the end.
  sockets.events.set([3, 2 ** 31 - 2, 0])
  sockets.turn(1)
  t.equal(log.ready, 1)
  log.socket.destroy()
  const late = connect(sockets, { host: 'a.test', port: 1, lookup: (name, options, callback) => callback(null, addresses) }, 5)
  late.socket.destroy()
  const { length } = tried
  await new Promise(resolve => setTimeout(resolve, 20))
  t.equal(tried.length, length, 'nothing is tried any more')
})

t.test('a run connects natively to addresses, names and Unix sockets', async t => {
  const autocannon = require('../../..')
  const http = require('node:http')
  const unix = path.join(shortFolder(t), 's')
  const servers = [http.createServer((request, response) => response.end('hi')).listen(0, '127.0.0.1'), http.createServer((request, response) => response.end('hi')).listen(unix)]
  t.teardown(() => servers.forEach(server => { server.closeAllConnections(); server.close() }))
  await Promise.all(servers.map(server => server.listening || once(server, 'listening')))
  const { port } = servers[0].address()
  const before = NativeSocket.prototype.connectTo
  let native = 0
  NativeSocket.prototype.connectTo = function (...given) {
    native++
    return before.apply(this, given)
  }
  t.teardown(() => { NativeSocket.prototype.connectTo = before })
  for (const options of [{ url: `http://127.0.0.1:${port}` }, { url: `http://localhost:${port}` }, { url: 'http://localhost', socketPath: unix }, { url: `http://127.0.0.1:${port}`, localAddress: '127.0.0.1' }]) {
    native = 0
    const result = await autocannon({ connections: 3, amount: 30, ...options })
    t.strictSame([result['2xx'], result.errors], [30, 0], JSON.stringify(options))
    t.ok(native >= 3, `${native} attempts`)
    // A Unix socket has no arrival times.
    if (!options.socketPath) t.ok(result.clock.arrival > 0)
  }
})
