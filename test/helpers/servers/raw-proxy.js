'use strict'

// Proxies whose every byte a test can decide on: of HTTP (CONNECT) and SOCKS5, with TLS and credentials where they are asked for.

const net = require('node:net')
const tls = require('node:tls')
const { setImmediate: turn } = require('node:timers/promises')

/**
 * @typedef {object} Rules
 * @property {tls.TlsOptions} [tls] of the connection to the proxy
 * @property {{ user: string, password: string }} [credentials] that are asked for
 * @property {boolean} [joined] whether the answer goes in one write with the first bytes of the server, which has to speak first
 * @property {number} [cut] how many bytes of what the proxy says go in a write of their own, in front of the rest
 * @property {(socket: net.Socket, asked: string) => void} [lie] what an HTTP proxy does with a CONNECT in place of a tunnel
 */

class RawProxy {
  /**
   * @param {'http' | 'socks5'} kind
   * @param {Rules} rules
   */
  constructor (kind, rules) {
    this.kind = kind
    this.rules = rules
    /** What was asked for: heads of CONNECT, or host:port. @type {string[]} */
    this.asked = []
    /** @type {Set<net.Socket>} */
    this.sockets = new Set()
    const accept = (/** @type {net.Socket} */ socket) => this.serve(socket).catch(() => socket.destroy())
    this.server = rules.tls === undefined ? net.createServer(accept) : tls.createServer(rules.tls, accept)
    this.server.on('connection', socket => this.keep(socket)).on('tlsClientError', () => {})
  }

  /** @param {net.Socket} socket */
  keep (socket) {
    this.sockets.add(socket)
    return socket.setNoDelay().on('error', () => {}).on('close', () => this.sockets.delete(socket))
  }

  get port () {
    return /** @type {net.AddressInfo} */ (this.server.address()).port
  }

  /** @param {string} [userinfo] @returns {string} */
  url (userinfo = '') {
    return `${this.kind === 'http' ? (this.rules.tls === undefined ? 'http' : 'https') : 'socks5'}://${userinfo}127.0.0.1:${this.port}`
  }

  /** @param {net.Socket} socket */
  async serve (socket) {
    socket.on('error', () => {})
    const bytes = reader(socket)
    const { host, port } = this.kind === 'http' ? await this.connectMethod(socket, bytes) : await this.socks(socket, bytes)
    if (host === '') return
    const granted = this.kind === 'http' ? Buffer.from('HTTP/1.1 200 Connection established\r\nVia: raw\r\n\r\n') : Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    const server = this.keep(net.connect(port, host))
    await new Promise((resolve, reject) => server.once('connect', resolve).once('error', reject))
    const first = this.rules.joined ? await new Promise(resolve => server.once('data', resolve)) : Buffer.alloc(0)
    await this.say(socket, Buffer.concat([granted, first]))
    const rest = bytes.rest()
    if (rest.length > 0) server.write(rest)
    server.pipe(socket).pipe(server)
    socket.on('close', () => server.destroy())
    server.on('close', () => socket.destroy())
  }

  /**
   * @param {net.Socket} socket
   * @param {ReturnType<typeof reader>} bytes
   */
  async connectMethod (socket, bytes) {
    const { credentials, lie } = this.rules
    const head = (await bytes.until('\r\n\r\n')).toString('latin1')
    this.asked.push(head)
    const [, host, port] = /^CONNECT \[?([^\]\s]+?)\]?:(\d+) HTTP\/1\.1\r\n/.exec(head) ?? []
    const wanted = credentials === undefined ? '' : `\r\nProxy-Authorization: Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}\r\n`
    if (lie === undefined && head.includes(wanted)) return { host, port: Number(port) }
    if (lie !== undefined) lie(socket, head)
    else socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n')
    return { host: '', port: 0 }
  }

  /**
   * @param {net.Socket} socket
   * @param {ReturnType<typeof reader>} bytes
   */
  async socks (socket, bytes) {
    const { credentials } = this.rules
    const [, n] = await bytes.take(2)
    const methods = await bytes.take(n)
    const method = credentials === undefined ? 0 : 2
    if (!methods.includes(method)) {
      socket.end(Buffer.from([5, 0xff]))
      return { host: '', port: 0 }
    }
    await this.say(socket, Buffer.from([5, method]))
    if (credentials !== undefined) {
      const user = (await bytes.take((await bytes.take(2))[1])).toString()
      const password = (await bytes.take((await bytes.take(1))[0])).toString()
      const right = user === credentials.user && password === credentials.password
      await this.say(socket, Buffer.from([1, right ? 0 : 1]))
      if (!right) {
        socket.end()
        return { host: '', port: 0 }
      }
    }
    const [, , , type] = await bytes.take(4)
    const host = type === 1 ? (await bytes.take(4)).join('.') : type === 3 ? (await bytes.take((await bytes.take(1))[0])).toString() : groupsOf(await bytes.take(16))
    const port = (await bytes.take(2)).readUInt16BE()
    this.asked.push(`${host}:${port}`)
    return { host, port }
  }

  /**
   * @param {net.Socket} socket
   * @param {Buffer} bytes
   */
  async say (socket, bytes) {
    const { cut = 0 } = this.rules
    socket.write(bytes.subarray(0, cut || bytes.length))
    if (cut === 0 || cut >= bytes.length) return
    for (let i = 0; i < 4; i++) await turn()
    socket.write(bytes.subarray(cut))
  }

  /** @returns {Promise<void>} */
  close () {
    for (const socket of this.sockets) socket.destroy()
    return new Promise(resolve => this.server.close(() => resolve()))
  }
}

/** @param {Buffer} bytes of an IPv6 address */
const groupsOf = bytes => Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16)).join(':')

/** @param {net.Socket} socket */
function reader (socket) {
  let buffer = Buffer.alloc(0)
  let wake = () => {}
  const hear = (/** @type {Buffer} */ chunk) => {
    buffer = Buffer.concat([buffer, chunk])
    wake()
  }
  socket.on('data', hear)
  /** @param {(bytes: Buffer) => number} lengthOf what is wanted of them; 0 when it is not there */
  const wait = async lengthOf => {
    while (lengthOf(buffer) === 0) await new Promise(resolve => { wake = () => resolve(undefined) })
    const taken = buffer.subarray(0, lengthOf(buffer))
    buffer = buffer.subarray(taken.length)
    return taken
  }
  return {
    take: (/** @type {number} */ n) => wait(bytes => bytes.length >= n ? n : 0),
    until: (/** @type {string} */ end) => wait(bytes => bytes.indexOf(end) + 1 && bytes.indexOf(end) + end.length),
    /** What has come beyond that; nothing more is read here. */
    rest () {
      socket.off('data', hear)
      return buffer
    }
  }
}

/**
 * Starts a proxy that is closed when the test ends.
 * @param {{ teardown: (close: () => unknown) => void }} t
 * @param {'http' | 'socks5'} kind
 * @param {Rules} [rules]
 */
async function rawProxy (t, kind, rules = {}) {
  const proxy = new RawProxy(kind, rules)
  await new Promise(resolve => proxy.server.listen(0, '127.0.0.1', () => resolve(undefined)))
  t.teardown(() => proxy.close())
  return proxy
}

module.exports = { rawProxy }
