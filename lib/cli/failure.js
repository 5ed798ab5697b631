'use strict'

// Reports an error that ended the command: where the user's code threw it, which option it is about, and whether the
// command was called the wrong way.

const { resolve, sep } = require('node:path')
const { types } = require('node:util')
const { commandOf } = require('./commands/index')
const { EXIT } = require('./exit-code')
const { HookError, OptionsError } = require('../core/errors')
const { isRecord } = require('../core/foreign-text')
const { tryOr } = require('../core/try-or')
const { placeOf: placeOfKey } = require('../requests/place')

/** A stack that begins there has no frame of a hook. */
const OURS = resolve(__dirname, '..') + sep

/**
 * @param {import('../core/errors').AutocannonError} error
 * @returns {boolean} whether the options can't be used as they are given; of a message that is known once it is made
 */
function isMisuse (error) {
  return error.code === 'AC_WS_MATCH' || error instanceof OptionsError || isUnusable(error)
}

/**
 * @param {unknown} error
 * @returns {error is HookError} whether it is about a file that cannot be used, so that nothing
 *   was sent
 */
function isUnusable (error) {
  return error instanceof HookError && HookError.unusableOf(error) !== null
}

/**
 * @param {unknown} options as given
 * @param {string} text
 * @param {string} [place] of the options
 * @returns {string} the place of the text in them, such as `requests[1].setupRequest`; empty for none
 */
function placeIn (options, text, place = '') {
  if (options === text) return place.replace(/^\./, '')
  if (types.isProxy(options) || !(Array.isArray(options) || isRecord(options))) return ''
  for (const [key, value] of Object.entries(options)) {
    const found = placeIn(value, text, place + placeOfKey(Array.isArray(options) ? Number(key) : key))
    if (found !== '') return found
  }
  return ''
}

/**
 * @param {unknown} thrown by a hook
 * @returns {string} where in the user's files, as a line of its own; empty when that is not known
 */
function placeOf (thrown) {
  for (const line of stackOf(thrown).split('\n')) {
    const [, place] = /^ +at (?:async )?(?:.*\()?((?:file:\/\/)?[^():]*(?::\\[^():]*)?:\d+:\d+)\)?$/.exec(line) ?? []
    // Our code may have thrown, such as a method of a response that the user's code called.
    if (place !== undefined && !place.startsWith('node:') && !place.startsWith(OURS)) return `\nat ${place}`
  }
  return ''
}

/** @param {unknown} thrown to look at it may throw again */
const stackOf = thrown => tryOr('', () => types.isNativeError(thrown) ? String(thrown.stack) : '')

/**
 * @param {import('../core/errors').AutocannonError} error that ended the command
 * @param {string | undefined} first of the arguments
 * @param {{ stderr: NodeJS.WritableStream, complain: (message: string) => void }} edge
 */
function reportFailure (error, first, { stderr, complain }) {
  const { hasReport = false, unread } = /** @type {{ hasReport?: boolean, unread?: string }} */ (error)
  // Of a module with a syntax error whose line is not known.
  const line = unread === undefined ? '' : require('./config/syntax-line').syntaxLine(unread)
  const whole = error.message + line + placeOf(error.cause)
  // After a report, the last line is the one that is read.
  const [, ...more] = whole.split('\n')
  // An exception has one line with its place, and a text of a server may have many.
  const isPlaced = hasReport && more.length === 1 && more[0].startsWith('at ')
  if (!hasReport || (more.length > 0 && !isPlaced)) complain(whole)
  if (hasReport) {
    const { concludedByEnd } = require('./commands/concluded')
    stderr.write(concludedByEnd(error, EXIT.impossible, stderr, isPlaced ? more[0] : ''))
  }
  if (error instanceof OptionsError) {
    const command = commandOf(first) === undefined || first === 'help' ? '' : `${first} `
    stderr.write(`Try autocannon ${command}--help for more.\n`)
  }
}

module.exports = { isMisuse, isUnusable, placeIn, placeOf, reportFailure }
