'use strict'

// Reports an error that ended the command: its place in the user's code, its option, and whether the usage was wrong.

const { resolve, sep } = require('node:path')
const { types } = require('node:util')
const { commandOf } = require('./commands/index')
const { EXIT } = require('./exit-code')
const { HookError, OptionsError } = require('../core/errors')
const { isRecord } = require('../core/foreign-text')
const { tryOr } = require('../core/try-or')
const { placeOf: placeOfKey } = require('../requests/place')

/** A stack that begins in this folder has no frame of a hook. */
const OURS = resolve(__dirname, '..') + sep

/**
 * @param {import('../core/errors').AutocannonError} error
 * @returns {boolean} whether the options are wrong; such a message is complete without a stack
 */
function isMisuse (error) {
  return error.code === 'AC_WS_MATCH' || error instanceof OptionsError || isUnusable(error)
}

/**
 * @param {unknown} error
 * @returns {error is HookError} whether a file cannot be used, so that nothing was sent
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
 * @returns {string} a line with the place in the user's files; empty if unknown
 */
function placeOf (thrown) {
  for (const line of stackOf(thrown).split('\n')) {
    const [, place] = /^ +at (?:async )?(?:.*\()?((?:file:\/\/)?[^():]*(?::\\[^():]*)?:\d+:\d+)\)?$/.exec(line) ?? []
    // Our code may throw when user code calls it, such as a method of a response.
    if (place !== undefined && !place.startsWith('node:') && !place.startsWith(OURS)) return `\nat ${place}`
  }
  return ''
}

/** @param {unknown} thrown reading it may throw again */
const stackOf = thrown => tryOr('', () => types.isNativeError(thrown) ? String(thrown.stack) : '')

/**
 * @param {import('../core/errors').AutocannonError} error that ended the command
 * @param {string | undefined} first of the arguments
 * @param {{ stderr: NodeJS.WritableStream, complain: (message: string) => void }} edge
 */
function reportFailure (error, first, { stderr, complain }) {
  const { hasReport = false, unread } = /** @type {{ hasReport?: boolean, unread?: string }} */ (error)
  // The module has a syntax error in an unknown line.
  const line = unread === undefined ? '' : require('./config/syntax-line').syntaxLine(unread)
  const text = error.message + line
  const place = placeOf(error.cause)
  // An exception is shown in one line with its place; a server's text in it may have many lines.
  const isOneLine = !text.includes('\n')
  if (!hasReport || !isOneLine) complain(text + (isOneLine ? place.replace('\n', ', ') : place))
  if (hasReport) {
    const { concludedByEnd } = require('./commands/concluded')
    // After a report, readers look at the last line.
    stderr.write(concludedByEnd(error, EXIT.impossible, stderr, isOneLine ? place.trimStart() : ''))
  }
  if (error instanceof OptionsError) {
    const command = commandOf(first) === undefined || first === 'help' ? '' : `${first} `
    stderr.write(`Try autocannon ${command}--help for more.\n`)
  }
}

module.exports = { isMisuse, isUnusable, placeIn, placeOf, reportFailure }
