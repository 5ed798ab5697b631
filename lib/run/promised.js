'use strict'

// Ends autocannon() and similar functions by a callback or a promise.

const { OptionsError } = require('../core/errors')
const { show } = require('../core/foreign-text')

/**
 * Rejects a second argument that is not a function, such as options in the style of fetch(): calling it later would
 * throw outside of every promise.
 * @param {unknown} callback
 * @throws {OptionsError} unless it is a function, null or undefined
 */
function checkCallback (callback) {
  if (callback === undefined || callback === null || typeof callback === 'function') return
  const got = typeof callback === 'object' ? 'an object' : show(callback)
  throw new OptionsError([
    `the second argument: expected a callback, got ${got}; options are one object: autocannon({ url, … })`
  ])
}

/**
 * @param {import('node:events').EventEmitter & { then?: unknown, catch?: unknown, finally?: unknown }} emitter becomes
 *   a promise of the result if there is no callback
 * @param {Promise<Record<string, any>>} result
 * @param {((error: Error | null, result?: Record<string, any>) => void) | null} [callback]
 */
function settleBy (emitter, result, callback) {
  if (typeof callback === 'function') {
    // Outside the promise: an exception of a callback is an uncaught exception, not a rejection.
    result.then(value => process.nextTick(callback, null, value), error => process.nextTick(callback, error))
    return
  }
  const promise = new Promise((resolve, reject) => result.then(resolve, reject))
  emitter.then = promise.then.bind(promise)
  emitter.catch = promise.catch.bind(promise)
  emitter.finally = promise.finally.bind(promise)
  // A listener to `error` handles the failure, so an unhandled rejection must not end the process.
  result.catch(() => {
    if (emitter.listenerCount('error') > 0) promise.catch(() => {})
  })
}

module.exports = { checkCallback, settleBy }
