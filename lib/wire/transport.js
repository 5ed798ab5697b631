'use strict'

// Owns how a socket is opened: TCP, TLS or a Unix socket (a named pipe on Windows). The only file that requires net and
// tls.

const net = require('node:net')
const { Duplex } = require('node:stream')
const { OptionsError } = require('../errors')
const { show } = require('../foreign-text')

/**
 * @typedef {object} ReadInto where received bytes go: Node.js reads straight into `buffer` and calls `callback` with the
 *   number of bytes, so that a read makes no Buffer, no event and no stream chunk. One buffer serves all connections of a
 *   thread because each read is finished with before the next starts.
 * @property {Buffer} buffer
 * @property {(size: number, buffer: Buffer) => boolean} callback
 */

/**
 * Opens a socket. The caller listens to `error`, `end`, `drain` and `close`, and is called when it is usable, TLS handshake included.
 * @typedef {(target: import('../scenario/target').Target, onread: ReadInto, onReady: (socket: net.Socket) => void) => net.Socket} Connect
 */

/** What is offered over TLS unless the protocol or the target says otherwise. */
const ALPN = ['http/1.1']

/**
 * @param {import('../options/plan').Network | null} network
 * @param {object} [needs]
 * @param {net.LookupFunction} [needs.lookup] in place of dns.lookup
 * @param {ReadonlyArray<string>} [needs.alpn] what is offered over TLS
 * @returns {Connect}
 */
function makeConnect (network, { lookup, alpn = ALPN } = {}) {
  return (target, onread, onReady) => {
    /** @type {net.NetConnectOpts} */
    const address = target.socketPath !== undefined
      ? { path: pathOf(target.socketPath), onread }
      : { host: target.host, port: target.port, noDelay: true, onread, ...lookup !== undefined && { lookup: target.tlsOptions.lookup ?? lookup } }
    if (!target.tls) {
      const socket = net.connect(address)
      socket.once('connect', () => onReady(socket))
      return socket
    }
    const socket = connectTls({ ...tlsOptions(target, alpn), ...address })
    socket.setNoDelay(true)
    socket.once('secureConnect', () => onReady(socket))
    return socket
  }
}

/**
 * Node.js 20 fills an abstract name up with zero bytes, and reaches only servers that do the same.
 * @param {string} socketPath
 * @returns {string} as the system wants it: an abstract name begins with a zero byte
 */
function pathOf (socketPath) {
  return process.platform === 'linux' ? socketPath.replace(/^@/, '\0') : socketPath
}

/**
 * @param {import('../scenario/target').Target} target
 * @param {ReadonlyArray<string>} alpn
 */
function tlsOptions ({ tlsOptions: given, servername }, alpn) {
  const { checkServerIdentity } = given
  return {
    // Certificates are not verified unless the user asks for it: the servers under test mostly have none worth it.
    rejectUnauthorized: given.ca !== undefined,
    ALPNProtocols: alpn,
    servername,
    ...given,
    // What it throws would end the process; returned, it refuses the certificate.
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
 * @param {Record<string, any>} options
 * @throws {OptionsError} when tls or net can't make sense of them
 */
function connectTls (options) {
  try {
    return require('node:tls').connect(options)
  } catch (error) {
    throw new OptionsError([`the TLS options (certificate, key, ca …) can't be used: ${/** @type {Error} */ (error).message}`])
  }
}

/**
 * @param {import('../scenario/target').Target} target
 * @throws {OptionsError} when its TLS options can't be used, before anything is sent
 */
function checkTlsOptions (target) {
  const { checkServerIdentity } = target.tlsOptions
  if (checkServerIdentity !== undefined && typeof checkServerIdentity !== 'function') {
    throw new OptionsError([`the TLS options can't be used: expected checkServerIdentity to be a function, got ${show(checkServerIdentity)}`])
  }
  // Once without a network: an attempt that fails half-way would leave a socket behind.
  const nowhere = new Duplex({ read () {}, write (chunk, encoding, callback) { callback() } })
  connectTls({ ...tlsOptions(target, ALPN), socket: nowhere }).on('error', () => {}).destroy()
}

module.exports = { makeConnect, checkTlsOptions }
