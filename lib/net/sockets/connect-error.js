'use strict'

// The error of a native socket that failed to connect, equal to that of node:net.

const { getSystemErrorName } = require('node:util')

/**
 * @param {number} errno negative
 * @param {string} address with port −1 the path of a Unix socket
 * @param {number} port
 * @returns {NodeJS.ErrnoException}
 */
function connectError (errno, address, port) {
  const code = getSystemErrorName(errno)
  const place = port < 0 ? address : `${address}:${port}`
  return Object.assign(new Error(`connect ${code} ${place}`), {
    errno, code, syscall: 'connect', address, ...port >= 0 && { port }
  })
}

module.exports = { connectError }
