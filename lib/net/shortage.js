'use strict'

// Connect errors that are no fault of the server: this machine had no port or descriptor left.

const { closeSync, openSync } = require('node:fs')

/** No file descriptor in this process, none in the system, no local port, none at the configured local address. */
const SHORTAGES = ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'EADDRINUSE']

/**
 * @typedef {NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }} ConnectFailure has errors of each address
 *   when a name has several
 */

/**
 * @param {ConnectFailure | null} error of an attempt to connect
 * @param {boolean} scarce whether others wait for something to connect with
 * @returns {Error | null} the exhausted resource; null for another error
 */
function shortageOf (error, scarce) {
  if (error === null) return null
  const { errors = [error] } = error
  // A look-up of a name opens files, too. If it can't, it reports an unknown name, or any errno.
  if (error.syscall === 'getaddrinfo') {
    return shortageOfFiles(error, scarce || !/^(ENOTFOUND|EAI_)/.test(error.code ?? ''))
  }
  // An unreachable address is EADDRNOTAVAIL, too: the other errors decide.
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
