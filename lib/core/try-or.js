'use strict'

/**
 * For files, processes and objects of users, which may fail to be read at any time.
 * @template T
 * @template F
 * @param {F} fallback
 * @param {() => T} action
 * @returns {T | F} the fallback when the action throws
 */
function tryOr (fallback, action) {
  try {
    return action()
  } catch {
    return fallback
  }
}

module.exports = { tryOr }
