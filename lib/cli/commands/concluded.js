'use strict'

// The last line of a command's output, with colors and characters that the stream supports.

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
 * @param {Error} error that ended a run; its report is above the line
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
