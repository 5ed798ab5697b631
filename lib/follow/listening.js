'use strict'

// How the server of a live view listens: its limits, its errors, and that it does not keep the process alive.

const { AutocannonError } = require('../core/errors')

/** Limits for strangers: small heads, and no socket that stays without a request. */
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

/** Returns the form before a port. @type {(host: string) => string} */
function shownHost (host) {
  return host.includes(':') ? `[${host}]` : host
}

/** No name looks so: browsers take it for an address. */
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$|:/

/** Returns whether it is an address, which DNS does not resolve. @type {(name: string) => boolean} */
const isAddress = name => ADDRESS.test(name)

/**
 * @param {string} host of a request
 * @returns {string | null} without its port, which varies, as a port may be forwarded from another one
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
