'use strict'

// Writes the messages of the command beside its reports, wrapped at a terminal.

/**
 * @param {NodeJS.WritableStream & { columns?: number, isTTY?: boolean }} stream
 * @param {string} text without control characters of others
 */
function say (stream, text) {
  // Lazy: --help and --version do not need the report.
  const { wrappedFor } = require('../report/prose')
  stream.write(`${wrappedFor(stream, `autocannon: ${text}`)}\n`)
}

module.exports = { say }
