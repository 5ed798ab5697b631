'use strict'

// Starts the HTTP server of a live view: limits, error messages, and no effect on the life of the process.

const { AutocannonError } = require('../core/errors')

/** Limits for untrusted clients: small heads, and no sockets without a request. */
const LIMITS = Object.freeze({
  maxHeaderSize: 8192, headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 1000, keepAlive: false
})

/**
 * @param {import('node:http').Server} server
 * @param {{ host: string, port: number }} address
 * @param {string} flag that opened it
 * @returns {Promise<number>} the port
 * @throws {AutocannonError}
 */
function listenAt (server, { host, port }, flag) {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(new AutocannonError(
      'AC_VIEW',
      `${flag} ${shownHost(host)}:${port}: ${whyNot(/** @type {NodeJS.ErrnoException} */ (error), flag)}`,
      { cause: error }
    )))
    server.listen(port, host, () => {
      server.removeAllListeners('error').on('error', () => {})
      server.unref()
      resolve(/** @type {{ port: number }} */ (server.address()).port)
    })
  })
}

/** Returns the host as written before a port: an IPv6 address in brackets. @type {(host: string) => string} */
function shownHost (host) {
  return host.includes(':') ? `[${host}]` : host
}

/** The form of an IPv4 address. Browsers never resolve it by DNS. */
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$|:/

/** Returns whether it is an address, and not a DNS name. @type {(name: string) => boolean} */
const isAddress = name => ADDRESS.test(name)

/**
 * @param {string} host of a request
 * @returns {string | null} the host without its port, which port forwarding may change
 */
function nameOf (host) {
  const [, address, name] = /^(?:\[([\da-f:.]+)\]|([^[\]:/@\s]+))(?::\d{1,5})?$/i.exec(host) ?? []
  return (address ?? name)?.toLowerCase() ?? null
}

/** @type {(error: NodeJS.ErrnoException, flag: string) => string} */
function whyNot ({ code, message }, flag) {
  if (code === 'EADDRINUSE') {
    return `that port is in use: give another one, or ${flag === '--ui' ? '--ui alone' : `${flag} :0`} for one that ` +
      'is free'
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'this machine does not have that address'
  if (code === 'EACCES') return 'this user may not listen at that port: give one above 1023'
  return message
}

module.exports = { LIMITS, isAddress, listenAt, nameOf, shownHost }
