'use strict'

// The last line that a command prints for people, in the form that the stream can show.

const { printable, printableData } = require('../../core/foreign-text')
const { conclusion } = require('../../report/conclusion')
const { inSentence } = require('../../words/sentence')
const { screenOf, wrapped } = require('../../report/prose')

/**
 * @type {(result: Record<string, any>, end: Parameters<typeof conclusion>[1], stream: NodeJS.WritableStream) => string}
 */
function concludedBy (result, end, stream) {
  const screen = screenOf(stream)
  return wrapped(conclusion(printableData(result), end, screen.color), screen)
}

/**
 * @param {Error} error that ended a run whose report stands above
 * @param {number} code
 * @param {NodeJS.WritableStream} stream
 */
function concludedByEnd ({ message }, code, stream) {
  const screen = screenOf(stream)
  return wrapped(
    screen.color.red(`✗ Failed, exit code ${code}: ${inSentence(printable(message.split('\n')[0]))}`),
    screen
  ) +
    '\n'
}

module.exports = { concludedBy, concludedByEnd }
