'use strict'

// Writes what the command says beside its reports: in lines that fit where the stream is a terminal.

/**
 * @param {NodeJS.WritableStream & { columns?: number, isTTY?: boolean }} stream
 * @param {string} text without control characters of others
 */
function say (stream, text) {
  // Loaded where something is said: --help and --version load no report.
  const { wrappedFor } = require('../report/prose')
  stream.write(`${wrappedFor(stream, `autocannon: ${text}`)}\n`)
}

module.exports = { say }
