'use strict'

// Promises of user functions that are not awaited yet. A function may derive a promise from that of a request, as in
// `const offers = http.get('/offers').then(read)`, and await another one first. When both requests fail, Node.js would
// end the process because of the rejection without a handler: a failing server must not end a load test.

const { AutocannonError, HookError } = require('../core/errors')

/** Runs whose functions may have such. */
let runs = 0

/** Wrong uses of arguments, and where they are reported. @type {WeakMap<Error, (error: Error) => void>} */
const misuses = new WeakMap()

/** @param {any} reason */
function onUnhandled (reason) {
  const isObject = typeof reason === 'object' && reason !== null
  const misused = isObject ? misuses.get(reason) : undefined
  if (misused !== undefined) return misused(reason)
  // The outcome of a request, which is counted.
  if (isObject && reason instanceof AutocannonError && !(reason instanceof HookError)) return
  // As without us.
  if (process.listenerCount('unhandledRejection') === 1) throw reason
}

/** The function waits for it later. Without this, Node.js would print a warning of each. */
function onHandled () {}

/** A run with user functions begins. @returns {() => void} to be called once, at its end */
function watchUnhandled () {
  if (runs++ === 0) process.on('unhandledRejection', onUnhandled).on('rejectionHandled', onHandled)
  return () => {
    // Rejections at the end are detected in the turns after it.
    setImmediate(() => setImmediate(() => {
      if (--runs === 0) process.off('unhandledRejection', onUnhandled).off('rejectionHandled', onHandled)
    }))
  }
}

/** @param {Error} error of a rejected promise that may never be awaited @param {(error: Error) => void} report */
function noteMisuse (error, report) {
  misuses.set(error, report)
}

module.exports = { noteMisuse, watchUnhandled }
