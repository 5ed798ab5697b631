'use strict'

// Owns the last line of what a command prints for people, as a stream shows it.

const { printableData } = require('../foreign-text')
const { conclusion } = require('../report/conclusion')
const { screenOf, wrapped } = require('../report/prose')

/**
 * @param {Record<string, any>} result
 * @param {Parameters<typeof conclusion>[1]} end
 * @param {NodeJS.WritableStream} stream
 * @returns {string}
 */
function concludedBy (result, end, stream) {
  const screen = screenOf(stream)
  return wrapped(conclusion(printableData(result), end, screen.color), screen)
}

module.exports = { concludedBy }
