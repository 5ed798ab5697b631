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
 * @param {Error} error that ended a run, with a report above
 * @param {number} code
 * @param {NodeJS.WritableStream} stream
 * @param {string} [place] where it was thrown, such as `at shop.mjs:3:9`
 */
function concludedByEnd ({ message }, code, stream, place = '') {
  const screen = screenOf(stream)
  const sentence = inSentence(printable(message.split('\n')[0]))
  const last = place === '' ? sentence : `${sentence}, ${printable(place)}`
  return `${wrapped(screen.color.red(`✗ Failed, exit code ${code}: ${last}`), screen)}\n`
}

module.exports = { concludedBy, concludedByEnd }
