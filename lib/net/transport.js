'use strict'

// Opens sockets: TCP, TLS or a Unix socket (a named pipe on Windows). The only file that requires net and tls.

const net = require('node:net')
const { Duplex } = require('node:stream')
const clock = require('../core/clock')
const { OptionsError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { Addresses } = require('./addresses')
const { PLAIN, familyOf, placeOf } = require('./route')

/**
 * @typedef {object} ReadInto where received bytes go: Node.js reads straight into `buffer` and calls `callback` with
 *   the number of bytes, so that a read makes no Buffer, no event and no stream chunk. One buffer serves all
 *   connections of a thread because each read is finished with before the next starts. Without it the socket is read as
 *   any stream.
 * @property {Buffer} buffer
 * @property {(size: number, buffer: Buffer, start?: number, arrival?: number, seen?: number) => boolean} callback the
 *   last three where the add-on reads: where the bytes begin, when the last of them arrived, and when they were seen
 * @property {import('./sockets/native-socket').Listener} [listener] of a socket of the add-on: of others, the caller
 *   listens to events
 */

/**
 * Opens a connection. The caller listens to `error`, `end`, `drain` and `close`, and is called with the socket once
 * that is ready, TLS handshake included: the one that was returned, except through a proxy.
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
 * @param {boolean} [needs.resumes] whether a connection resumes the TLS session that came last from its target
 * @param {import('../core/clock').Clock} [needs.now]
 * @param {((socket: import('node:tls').TLSSocket, ms: number) => void) | null} [needs.onHandshake] called when one is
 *   done
 * @param {number} [needs.timeout] ms that an attempt may take
 * @param {boolean} [needs.tunnels] whether a proxy always has to open a tunnel, because it does not know the protocol
 * @param {(ms: number) => void} [needs.onProxied] called with the proxy's part of a connect
 * @param {import('./sockets/native-sockets').NativeSockets | null} [needs.sockets] that connect to servers without TLS,
 *   where there are such
 */
function makeConnect (
  network,
  {
    lookup, alpn = ALPN, resumes = false, now = clock.now, onHandshake = null, timeout, tunnels = false, onProxied,
    sockets = null
  } = {}
) {
  const { proxies, connectTo, names, localAddresses, allow } = network ?? PLAIN
  /** By target. A ticket of TLS 1.3 follows the handshake. @type {WeakMap<object, Buffer> | null} */
  const sessions = resumes ? new WeakMap() : null
  /**
   * By target: to make a secure context takes 0.2 of the 1.3 ms of CPU time of a handshake, and all connections can
   * share it.
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
    // Of TLS options it would be taken instead of host and port.
    ...confined !== null && { path: undefined },
    ...localAddresses.length > 0 && { localAddress: localAddresses[made++ % localAddresses.length] }
  })
  /**
   * @param {import('../requests/target').Target} target
   * @param {Record<string, any>} where to connect, or the socket on which TLS is spoken
   * @param {(socket: net.Socket) => void} onReady
   */
  const secure = (target, where, onReady) => {
    const session = sessions?.get(target)
    if (!prepared.has(target)) prepared.set(target, withContext(tlsOptions(target, alpn)))
    let begun = onHandshake === null ? 0 : now()
    const socket = connectTls({ ...prepared.get(target), ...where, ...session !== undefined && { session } })
    if (sessions !== null) socket.on('session', (/** @type {Buffer} */ last) => sessions.set(target, last))
    socket.setNoDelay(true)
    // In a tunnel it begins at once. Otherwise when TCP is connected, before tls.connect's own listener: making the
    // first message of a handshake takes time as well.
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
      // As that of a server: its certificate is verified when trusted ones are given, and no other TLS option is about
      // it.
      return connectTls({
        ...address, ca, rejectUnauthorized: rejectUnauthorized ?? ca !== undefined, ALPNProtocols: ALPN,
        servername: familyOf(proxy.host) === 0 ? proxy.host : undefined
      })
    },
    secure
  })
}

/** Node.js 20 fills the names of abstract sockets up, and a server of its own has such a name: see pathOf. */
const ABSTRACT = '\0'

/**
 * @param {import('./sockets/native-sockets').NativeSockets} sockets
 * @param {any} where as net.connect takes it
 * @param {import('./sockets/native-socket').Listener} listener
 * @param {(socket: Socket) => void} onReady
 * @returns {Opening | null} null where node:net has to do it
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
 * Node.js 20 fills an abstract name up with zero bytes, and reaches only servers that do the same.
 * @param {string} socketPath
 * @returns {string} as the system wants it: an abstract name begins with a zero byte
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
 * @throws {OptionsError} when tls or net can't make sense of them
 * @type {(options: Record<string, any>) => import('node:tls').TLSSocket}
 */
function connectTls (options) {
  return orRefuse(() => require('node:tls').connect(options))
}

/**
 * @param {Record<string, any>} options
 * @returns {Record<string, any>} with the context that they make, unless they have one
 * @throws {OptionsError} when tls can't make sense of them
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
 * @throws {OptionsError} when its TLS options can't be used, before anything is sent
 */
function checkTlsOptions (target) {
  const { checkServerIdentity } = target.tlsOptions
  if (checkServerIdentity !== undefined && typeof checkServerIdentity !== 'function') {
    throw new OptionsError([
      `the TLS options can't be used: expected checkServerIdentity to be a function, got ${show(checkServerIdentity)}`
    ])
  }
  // Tried once without a network: an attempt that fails half-way would leave a socket open.
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
 * @throws {OptionsError} when there is one that OpenSSL does not know
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
