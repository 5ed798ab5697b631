'use strict'

// Detects connect errors that the server does not cause: this machine has no port or file descriptor left.

const { closeSync, openSync } = require('node:fs')

/** No file descriptor in this process or in the system, no local port, no local port at the configured address. */
const SHORTAGES = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'EADDRINUSE']

/**
 * @typedef {NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }} ConnectFailure it has an error for each
 *   address when a name has several
 */

/**
 * @param {ConnectFailure | null} error of an attempt to connect
 * @param {boolean} scarce whether other connections wait for a descriptor or port
 * @returns {Error | null} the error of the exhausted resource; null for other errors
 */
function shortageOf (error, scarce) {
  if (error === null) return null
  const { errors = [error] } = error
  // A look-up opens files as well. Without a descriptor it reports an unknown name, or any errno.
  if (error.syscall === 'getaddrinfo') {
    return shortageOfFiles(error, scarce || !/^(ENOTFOUND|EAI_)/.test(error.code ?? ''))
  }
  // EADDRNOTAVAIL is also reported for an unreachable address, so other errors take precedence.
  const short = errors.filter(({ code = '' }) => SHORTAGES.includes(code))
  return short.find(({ code }) => code !== 'EADDRNOTAVAIL') ?? (short.length === errors.length ? error : null)
}

/** @type {(cause: Error, scarce: boolean) => Error | null} */
function shortageOfFiles (cause, scarce) {
  let code = scarce ? 'EMFILE' : ''
  try {
    closeSync(openSync(__filename, 'r'))
  } catch (error) {
    code = /** @type {NodeJS.ErrnoException} */ (error).code ?? ''
  }
  return SHORTAGES.includes(code)
    ? Object.assign(new Error(`no file descriptor for a look-up: ${cause.message}`, { cause }), { code })
    : null
}

module.exports = { shortageOf }
