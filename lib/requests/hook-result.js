'use strict'

// Handles promises that hooks return. Most hooks must not return one: the load does not wait for them, and a promise is
// a truthy value.

const { types } = require('node:util')
const { HookError } = require('../core/errors')

/**
 * Waits for promises of hooks, each for a limited time.
 * @typedef {object} Awaits
 * @property {string} limit in words
 * @property {<T>(promise: PromiseLike<T>, late: () => Error, tally?: { unjudged: number } | null) => Promise<T>}
 *   settled rejects when the time is over; a check that is pending when the run ends is counted
 */

/**
 * @param {unknown} returned
 * @returns {returned is PromiseLike<unknown>} also true when reading `then` throws: `follow` reports that error
 */
function isPromise (returned) {
  if (typeof returned !== 'object' || returned === null) return false
  try {
    return typeof (/** @type {any} */ (returned).then) === 'function'
  } catch {
    return true
  }
}

/**
 * @param {PromiseLike<unknown>} promise or another thenable
 * @param {(error: unknown) => void} onRejected called for each kind of failure; possibly more than once
 */
function follow (promise, onRejected) {
  try {
    const followed = promise.then(undefined, onRejected)
    // `then` itself may be an async function, and reject.
    if (types.isPromise(followed)) Promise.prototype.then.call(followed, undefined, onRejected)
  } catch (error) {
    onRejected(error)
  }
}

/**
 * @param {string} hook its name and request
 * @param {PromiseLike<unknown>} promise may reject later, when the run has already failed
 * @param {string} [hint] advice for the user
 */
function promised (hook, promise, hint = '') {
  follow(promise, () => {})
  return new HookError(`${hook} returned a promise: it has to return its value at once, because the load does not ` +
    `wait for hooks; do what takes time before the run${hint}`)
}

/**
 * A hook without a result may be an async function. It is not awaited, but its error fails the run.
 * @param {string} hook its name and request
 * @param {unknown} returned
 * @param {(error: HookError) => void} fail
 */
function watch (hook, returned, fail) {
  if (isPromise(returned)) follow(returned, error => fail(HookError.failed(hook, error)))
}

/** Requests of users may wait for these hooks. */
const IN_SCENARIOS = ', or make it an async function of a request in scenarios'

module.exports = { IN_SCENARIOS, isPromise, follow, promised, watch }
