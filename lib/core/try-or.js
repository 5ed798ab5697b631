'use strict'

/**
 * For files, processes and objects of users: each read may fail.
 * @template T
 * @template F
 * @param {F} fallback
 * @param {() => T} action
 * @returns {T | F} the fallback if the action throws
 */
function tryOr (fallback, action) {
  try {
    return action()
  } catch {
    return fallback
  }
}

module.exports = { tryOr }
