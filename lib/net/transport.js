'use strict'

// Opens sockets: TCP, TLS or a Unix socket (a named pipe on Windows). Only this file requires net and tls.

const net = require('node:net')
const { Duplex } = require('node:stream')
const clock = require('../core/clock')
const { OptionsError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { Addresses } = require('./addresses')
const { PLAIN, familyOf, placeOf } = require('./route')

/**
 * @typedef {object} ReadInto the destination of received bytes: Node.js reads into `buffer` and calls `callback` with
 *   the number of bytes, so a read creates no Buffer, event or stream chunk. All connections of a thread share one
 *   buffer, because each read is processed before the next one. Without it the socket is read as a stream.
 * @property {Buffer} buffer
 * @property {(size: number, buffer: Buffer, start?: number, arrival?: number, seen?: number) => boolean} callback the
 *   last three parameters are for the add-on: the offset of the bytes, when the last of them arrived, and when they
 *   were read
 * @property {import('./sockets/native-socket').Listener} [listener] for a socket of the add-on; for others, the caller
 *   listens to events
 */

/**
 * Opens a connection. The caller listens to `error`, `end`, `drain` and `close`. `onReady` receives the socket when it
 * is ready, after the TLS handshake: the returned one, except through a proxy.
 * @typedef {import('../protocols/peer').Opening} Opening
 * @typedef {import('../protocols/peer').Socket} Socket
 * @typedef {(target: import('../requests/target').Target, onread: ReadInto | undefined, onReady: (socket: Socket) =>
 *   void) => Opening} Connect
 */

/** The default protocols over TLS. */
const ALPN = ['http/1.1']

/**
 * @param {import('./route').Network | null} network
 * @param {object} [needs]
 * @param {net.LookupFunction} [needs.lookup] instead of dns.lookup
 * @param {ReadonlyArray<string>} [needs.alpn] protocols over TLS
 * @param {boolean} [needs.resumes] whether a connection resumes the last TLS session of its target
 * @param {import('../core/clock').Clock} [needs.now]
 * @param {((socket: import('node:tls').TLSSocket, ms: number) => void) | null} [needs.onHandshake] called after each
 *   TLS handshake
 * @param {number} [needs.timeout] the timeout of an attempt, ms
 * @param {boolean} [needs.tunnels] whether a proxy always has to open a tunnel, because it does not support the
 *   protocol
 * @param {(ms: number) => void} [needs.onProxied] called with the time that the proxy took for a connect
 * @param {import('./sockets/native-sockets').NativeSockets | null} [needs.sockets] native sockets for connections
 *   without TLS; null without the add-on
 */
function makeConnect (
  network,
  {
    lookup, alpn = ALPN, resumes = false, now = clock.now, onHandshake = null, timeout, tunnels = false, onProxied,
    sockets = null
  } = {}
) {
  const { proxies, connectTo, names, localAddresses, allow } = network ?? PLAIN
  /**
   * TLS sessions by target. In TLS 1.3 the ticket arrives after the handshake.
   * @type {WeakMap<object, Buffer> | null}
   */
  const sessions = resumes ? new WeakMap() : null
  /**
   * TLS options by target, with a shared secure context: creating one takes 0.2 of the 1.3 ms of CPU time of a
   * handshake.
   * @type {WeakMap<object, Record<string, any>>}
   */
  const prepared = new WeakMap()
  const all = new Addresses(names, { lookup, timeout, now })
  const confined = allow === undefined ? null : require('./allowed').confined(allow, all, net.isIP)
  const addresses = confined ?? all
  let made = 0
  /** @param {import('./route').Place} place @param {net.LookupFunction} [own] of the user */
  const addressOf = (place, own) => ({
    port: place.port,
    noDelay: true,
    ...addresses.of(place),
    ...own !== undefined && confined === null && { lookup: own },
    // A `path` in the TLS options would replace host and port.
    ...confined !== null && { path: undefined },
    ...localAddresses.length > 0 && { localAddress: localAddresses[made++ % localAddresses.length] }
  })
  /**
   * @param {import('../requests/target').Target} target
   * @param {Record<string, any>} where to connect, or the socket for TLS
   * @param {(socket: net.Socket) => void} onReady
   */
  const secure = (target, where, onReady) => {
    const session = sessions?.get(target)
    if (!prepared.has(target)) prepared.set(target, withContext(tlsOptions(target, alpn)))
    let begun = onHandshake === null ? 0 : now()
    const socket = connectTls({ ...prepared.get(target), ...where, ...session !== undefined && { session } })
    if (sessions !== null) socket.on('session', (/** @type {Buffer} */ last) => sessions.set(target, last))
    socket.setNoDelay(true)
    // A handshake in a tunnel begins at once. Otherwise it begins when TCP is connected: before the listener of
    // tls.connect, because creating the first message takes time as well.
    if (onHandshake !== null) socket.prependOnceListener('connect', () => { begun = now() })
    socket.once('secureConnect', () => {
      if (onHandshake !== null) onHandshake(socket, now() - begun)
      onReady(socket)
    })
    return socket
  }
  /** @type {Connect} */
  const direct = (target, onread, onReady) => {
    /** @type {net.NetConnectOpts} */
    const address = {
      ...target.socketPath === undefined
        ? addressOf(placeOf(connectTo, target), target.tlsOptions.lookup)
        : confined?.socket(target.socketPath) ?? { path: pathOf(target.socketPath) },
      onread
    }
    if (target.tls) return secure(target, address, onReady)
    const native = sockets === null || onread?.listener === undefined || target.tlsOptions.lookup !== undefined
      ? null
      : connectNatively(sockets, address, onread.listener, onReady)
    if (native !== null) return native
    const socket = net.connect(address)
    socket.once('connect', () => onReady(socket))
    return socket
  }
  if (proxies === null) return direct
  return require('./proxy/connect').makeProxiedConnect(network ?? PLAIN, {
    timeout,
    now,
    onProxied,
    tunnels,
    direct,
    addresses,
    beyond: place => {
      const refused = confined?.beyond(place) ?? null
      return refused === null ? null : net.connect(refused)
    },
    reach: (proxy, { ca, rejectUnauthorized }, onread) => {
      const address = { ...addressOf(proxy), onread }
      if (!proxy.tls) return net.connect(address)
      // As for a server, the certificate of a proxy is verified only with given trusted certificates. Other TLS options
      // do not apply to it.
      return connectTls({
        ...address, ca, rejectUnauthorized: rejectUnauthorized ?? ca !== undefined, ALPNProtocols: ALPN,
        servername: familyOf(proxy.host) === 0 ? proxy.host : undefined
      })
    },
    secure
  })
}

/** The first character of an abstract name. node:net has to connect to it: see pathOf. */
const ABSTRACT = '\0'

/**
 * @param {import('./sockets/native-sockets').NativeSockets} sockets
 * @param {any} where the options of net.connect
 * @param {import('./sockets/native-socket').Listener} listener
 * @param {(socket: Socket) => void} onReady
 * @returns {Opening | null} null when node:net has to connect
 */
function connectNatively (sockets, { path, host, port, localAddress, lookup }, listener, onReady) {
  if (path?.startsWith(ABSTRACT)) return null
  const isName = path === undefined && net.isIP(host) === 0
  return sockets.connect(
    { path, host, port, localAddress, lookup: isName ? lookup : undefined },
    net.getDefaultAutoSelectFamilyAttemptTimeout(),
    listener,
    onReady
  )
}

/**
 * Node.js 20 pads an abstract name with zero bytes, and reaches only servers with the same padding.
 * @param {string} socketPath
 * @returns {string} for the system: an abstract name begins with a zero byte
 */
function pathOf (socketPath) {
  return process.platform === 'linux' ? socketPath.replace(/^@/, '\0') : socketPath
}

/** @param {import('../requests/target').Target} target @param {ReadonlyArray<string>} alpn */
function tlsOptions ({ tlsOptions: given, servername }, alpn) {
  const { checkServerIdentity } = given
  return {
    // Certificates are not verified by default: most servers under test have no valid one.
    rejectUnauthorized: given.ca !== undefined,
    ALPNProtocols: alpn,
    servername,
    ...given,
    // An exception would end the process; a returned error rejects the certificate.
    ...typeof checkServerIdentity === 'function' && {
      checkServerIdentity (/** @type {unknown[]} */ ...args) {
        try {
          return checkServerIdentity(...args)
        } catch (error) {
          return error
        }
      }
    }
  }
}

/**
 * @throws {OptionsError} when tls or net rejects them
 * @type {(options: Record<string, any>) => import('node:tls').TLSSocket}
 */
function connectTls (options) {
  return orRefuse(() => require('node:tls').connect(options))
}

/**
 * @param {Record<string, any>} options
 * @returns {Record<string, any>} with a secure context
 * @throws {OptionsError} when tls rejects them
 */
function withContext (options) {
  return {
    ...options, secureContext: options.secureContext ?? orRefuse(() => require('node:tls').createSecureContext(options))
  }
}

/**
 * @template T
 * @param {() => T} make
 * @returns {T}
 */
function orRefuse (make) {
  try {
    return make()
  } catch (error) {
    throw new OptionsError([
      `the TLS options (certificate, key, ca …) can't be used: ${/** @type {Error} */ (error).message}`
    ])
  }
}

/**
 * @param {import('../requests/target').Target} target
 * @throws {OptionsError} when its TLS options are invalid, before anything is sent
 */
function checkTlsOptions (target) {
  const { checkServerIdentity } = target.tlsOptions
  if (checkServerIdentity !== undefined && typeof checkServerIdentity !== 'function') {
    throw new OptionsError([
      `the TLS options can't be used: expected checkServerIdentity to be a function, got ${show(checkServerIdentity)}`
    ])
  }
  // Tries the options once on a socket without a network: a failed attempt on a real one would leave it open.
  const nowhere = new Duplex({ read () {}, write (chunk, encoding, callback) { callback() } })
  connectTls({ ...tlsOptions(target, ALPN), socket: nowhere }).on('error', () => {}).destroy()
}

/**
 * @param {import('./route').Network} network with an allow list
 * @param {ReadonlyArray<import('../requests/target').Target>} targets
 * @param {net.LookupFunction} [lookup] instead of dns.lookup
 * @throws {import('../core/errors').ConnectionError} when connections to one of them are not allowed, before anything
 *   is sent
 */
async function checkAllowed (network, targets, lookup) {
  const { checkRoutes, confined } = require('./allowed')
  const confinement = confined(
    /** @type {import('./route').Rule[]} */ (network.allow), new Addresses(network.names, { lookup }), net.isIP
  )
  await checkRoutes(network, targets, confinement, net.isIP)
}

/**
 * OpenSSL accepts a list with one known name, and ignores the others.
 * @param {ReadonlyArray<string>} ciphers
 * @throws {OptionsError} for a name that OpenSSL does not know
 */
function checkCiphers (ciphers) {
  const { createSecureContext, getCiphers } = require('node:tls')
  for (const name of ciphers) {
    try {
      createSecureContext({ ciphers: name })
    } catch (error) {
      const known = getCiphers().map(one => one.toUpperCase())
      throw new OptionsError(['the ciphers can\'t be used: the OpenSSL of this Node.js has none that is called ' +
        `${show(name)}${require('../core/suggest').suggest(name, known)}`])
    }
  }
}

module.exports = { makeConnect, checkAllowed, checkCiphers, checkTlsOptions }
