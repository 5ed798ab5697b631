'use strict'

// Checks whether addresses belong to this machine by binding to them, because lists of addresses are incomplete: on
// Linux 127.0.0.2 is local, but not listed.

const dgram = require('node:dgram')
const { OptionsError } = require('../core/errors')

/**
 * @param {ReadonlyArray<string>} addresses
 * @throws {OptionsError} if an address belongs to another machine
 */
async function checkLocalAddresses (addresses) {
  const causes = await Promise.all(addresses.map(whyNot))
  const problems = addresses.flatMap((address, i) =>
    causes[i] === null ? [] : [`${address} cannot be the local address of connections: ${causes[i]}`])
  if (problems.length > 0) throw new OptionsError(problems)
}

/** Returns the error code of a bind; null if it succeeds. @type {(address: string) => Promise<string | null>} */
function whyNot (address) {
  return new Promise(resolve => {
    const socket = dgram.createSocket(address.includes(':') ? 'udp6' : 'udp4')
    /** @param {string | null} cause */
    const end = cause => socket.close(() => resolve(cause))
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ { code, message }) =>
      end(code === 'EADDRNOTAVAIL' ? 'it is no address of this machine' : message))
    socket.bind({ address, port: 0, exclusive: true }, () => end(null))
  })
}

module.exports = { checkLocalAddresses }
