'use strict'

// Owns what becomes of a promise that a hook returns. The load does not wait for hooks: where their value is needed, a
// promise of it would be taken for a truthy one.

const { HookError } = require('../errors')

/**
 * @param {unknown} answer
 * @returns {answer is PromiseLike<unknown>}
 */
function isPromise (answer) {
  return typeof answer === 'object' && answer !== null && typeof (/** @type {any} */ (answer).then) === 'function'
}

/**
 * @param {string} hook its name, and what it was called for
 * @param {PromiseLike<unknown>} promise may be rejected later: the run has failed already then
 * @returns {HookError}
 */
function promised (hook, promise) {
  promise.then(undefined, () => {})
  return new HookError(`${hook} returned a promise: it has to return its value at once, because the load does not wait for hooks; do what takes time before the run`)
}

/**
 * A hook whose value nobody needs may be an async function. Nobody waits for it, but what it throws fails the run.
 * @param {string} hook its name, and what it was called for
 * @param {unknown} answer
 * @param {(error: HookError) => void} fail
 */
function watch (hook, answer, fail) {
  if (isPromise(answer)) answer.then(undefined, error => fail(HookError.failed(hook, error)))
}

module.exports = { isPromise, promised, watch }
