'use strict'

// Rejects a promise from a hook. The load does not wait for hooks, and a promise would count as a truthy value.

const { types } = require('node:util')
const { HookError } = require('../core/errors')

/**
 * Pending promises of hooks, each with a limited time.
 * @typedef {object} Awaits
 * @property {string} limit in words
 * @property {<T>(promise: PromiseLike<T>, late: () => Error, tally?: { unjudged: number } | null) => Promise<T>}
 *   settled rejects when the time is over; a check that is open when the run ends is counted
 */

/**
 * @param {unknown} returned
 * @returns {returned is PromiseLike<unknown>} also when it does not let us look: then it fails as a promise would
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
 * @param {(error: unknown) => void} onRejected called when it fails in any way; possibly more than once
 */
function follow (promise, onRejected) {
  try {
    const followed = promise.then(undefined, onRejected)
    // Its `then` may be an async function that throws.
    if (types.isPromise(followed)) Promise.prototype.then.call(followed, undefined, onRejected)
  } catch (error) {
    onRejected(error)
  }
}

/**
 * @param {string} hook its name and request
 * @param {PromiseLike<unknown>} promise may be rejected later: the run has failed already then
 * @param {string} [hint] advice
 */
function promised (hook, promise, hint = '') {
  follow(promise, () => {})
  return new HookError(`${hook} returned a promise: it has to return its value at once, because the load does not ` +
    `wait for hooks; do what takes time before the run${hint}`)
}

/**
 * A hook without a return value may be an async function. It is not awaited, but its error fails the run.
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
