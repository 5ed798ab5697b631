'use strict'

// Finds exhausted resources of the load generator's machine.

const { error } = require('../core/finding')

/** @param {Record<string, any>} result @returns {import('./findings').Finding[]} */
function shortages ({ errorCodes = {}, openFileLimit, connect }) {
  /** @type {import('./findings').Finding[]} */
  const found = []
  if (errorCodes.EMFILE > 0) {
    found.push(error('open-files', { limit: openFileLimit ?? null }))
  }
  if (errorCodes.ENFILE > 0) found.push(error('open-files-of-system'))
  // The first error occurs if the system chooses the port, the second one with a given local address.
  if (errorCodes.EADDRNOTAVAIL > 0 || errorCodes.EADDRINUSE > 0) {
    found.push(error('local-ports', { connected: connect?.totalCount > 0 }))
  }
  return found
}

module.exports = { shortages }
