'use strict'

// Owns how a socket is opened: TCP, TLS or a Unix socket (a named pipe on Windows). The only file that requires net and
// tls.

const net = require('node:net')
const { OptionsError } = require('../errors')

/**
 * @typedef {object} ReadInto where received bytes go: Node.js reads straight into `buffer` and calls `callback` with the
 *   number of bytes, so that a read makes no Buffer, no event and no stream chunk. One buffer serves all connections of a
 *   thread because each read is finished with before the next starts.
 * @property {Buffer} buffer
 * @property {(size: number, buffer: Buffer) => boolean} callback
 */

/**
 * Opens a socket. The caller listens to `ready` (usable, TLS handshake included), `error`, `end`, `drain` and `close`.
 * @param {import('../request/target').Target} target
 * @param {ReadInto} onread
 * @param {(socket: net.Socket) => void} onReady
 * @returns {net.Socket}
 */
function connect (target, onread, onReady) {
  /** @type {net.NetConnectOpts} */
  const address = target.socketPath !== undefined
    ? { path: target.socketPath, onread }
    : { host: target.host, port: target.port, noDelay: true, onread }
  if (!target.tls) {
    const socket = net.connect(address)
    socket.once('connect', () => onReady(socket))
    return socket
  }
  const tls = require('node:tls')
  const socket = tls.connect({
    // Certificates are not verified unless the user asks for it: the servers under test mostly have none worth it.
    rejectUnauthorized: target.tlsOptions.ca !== undefined,
    ALPNProtocols: ['http/1.1'],
    servername: target.servername,
    ...target.tlsOptions,
    ...address
  })
  socket.setNoDelay(true)
  socket.once('secureConnect', () => onReady(socket))
  return socket
}

/**
 * @param {Record<string, any>} options for tls.connect
 * @throws {OptionsError} when the certificate, key or authority can't be read
 */
function checkTlsOptions (options) {
  try {
    require('node:tls').createSecureContext(options)
  } catch (error) {
    throw new OptionsError([`the TLS options (certificate, key, ca …) can't be used: ${/** @type {Error} */ (error).message}`])
  }
}

module.exports = { connect, checkTlsOptions }
