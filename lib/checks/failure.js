'use strict'

// Interprets the return value or exception of a user function: whether the response failed, and the reason.

const { types } = require('node:util')
const { ProtocolError, messageOf, looksOf } = require('../core/errors')
const { oneLine } = require('../core/foreign-text')

const LONGEST = 200

/**
 * @param {unknown} failure an error, a text, or any other thrown value
 * @returns {string} one line with a limited length
 */
function reasonOf (failure) {
  const code = isProtocolError(failure) ? `${failure.code}: ` : ''
  return oneLine(code + (messageOf(failure) ?? looksOf(failure)), LONGEST) || 'no reason given'
}

/**
 * @param {unknown} returned by a hook with a result for another purpose
 * @returns {string | null} the reason when it is an error; null otherwise
 */
function failureIn (returned) {
  return types.isNativeError(returned) ? reasonOf(returned) : null
}

/**
 * @param {any} error that a hook threw
 * @returns {boolean} whether it is a failed assertion of node:assert or chai, and not a defect of the hook
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
 * @param {unknown} error thrown by a hook; it may be a Proxy
 * @returns {error is ProtocolError} whether the body could not be parsed
 */
function isProtocolError (error) {
  return types.isNativeError(error) && error instanceof ProtocolError
}

module.exports = { isProtocolError, reasonOf, failureIn, isAssertion }
