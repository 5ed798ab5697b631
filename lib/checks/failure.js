'use strict'

// How the return value or exception of a user function is interpreted: whether the response failed, and why.

const { types } = require('node:util')
const { ProtocolError, messageOf, looksOf } = require('../core/errors')
const { oneLine } = require('../core/foreign-text')

const LONGEST = 200

/**
 * @param {unknown} failure an error, a text, or any other thrown value
 * @returns {string} one line, of a length that fits into a report
 */
function reasonOf (failure) {
  const code = isProtocolError(failure) ? `${failure.code}: ` : ''
  return oneLine(code + (messageOf(failure) ?? looksOf(failure)), LONGEST) || 'no reason given'
}

/**
 * @param {unknown} returned by a hook whose response is for something else
 * @returns {string | null} the reason when it is a failure
 */
function failureIn (returned) {
  return types.isNativeError(returned) ? reasonOf(returned) : null
}

/**
 * @param {any} error that a hook threw
 * @returns {boolean} whether it is a failed assertion and not a defect of the hook: node:assert and chai mark theirs
 */
function isAssertion (error) {
  try {
    return types.isNativeError(error) &&
      (error.name === 'AssertionError' || /** @type {NodeJS.ErrnoException} */ (error).code === 'ERR_ASSERTION')
  } catch {
    return false
  }
}

/**
 * @param {unknown} error that a hook threw, which may be a proxy
 * @returns {error is ProtocolError} whether the body could not be parsed
 */
function isProtocolError (error) {
  return types.isNativeError(error) && error instanceof ProtocolError
}

module.exports = { isProtocolError, reasonOf, failureIn, isAssertion }
