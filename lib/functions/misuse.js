'use strict'

// Errors of wrong calls in a user function. Their messages contain no secrets, so they are reported as they are.

/** @type {WeakSet<any>} */
const MISUSES = new WeakSet()

/**
 * @template {Error} E
 * @param {E} error of a wrong call
 * @param {Function} [caller] with stack frames that mean nothing to a user
 * @returns {E}
 */
function misuse (error, caller) {
  MISUSES.add(error)
  if (caller !== undefined) Error.captureStackTrace(error, caller)
  return error
}

/** @param {any} error */
const isMisuse = error => MISUSES.has(error)

module.exports = { isMisuse, misuse }
