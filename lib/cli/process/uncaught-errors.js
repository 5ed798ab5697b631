'use strict'

// Errors of user functions outside of their promises: in a callback, or in a promise that is not awaited. Node.js would
// end the process without a report; here the run ends, and its report has the error.

const { AutocannonError, HookError } = require('../../core/errors')
const { failureOf } = require('../../functions/habits')

/** The limit of reported errors with keepGoing. */
const MOST_REPORTED = 10

class UncaughtErrors {
  /**
   * @param {import('../../run/instance').Instance} instance
   * @param {boolean} keepGoing
   * @param {(message: string) => void} complain
   */
  constructor (instance, keepGoing, complain) {
    let reported = 0
    /** The error that ended the run. @type {HookError | null} */
    this.failure = null
    this.listener = (/** @type {unknown} */ error) => {
      // A failed request is counted already, and a failing server must not end the load test.
      const isOutcome = error instanceof AutocannonError && !(error instanceof HookError)
      if (isOutcome && /** @type {{ isMistake?: boolean }} */ (error).isMistake !== true) return
      const failure = failureOf('code of a user function that nothing waits for', error)
      if (keepGoing) {
        if (reported++ < MOST_REPORTED) complain(failure.message)
        return
      }
      this.failure ??= failure
      instance.endBy(Promise.resolve(failure))
    }
    process.on('unhandledRejection', this.listener)
    process.on('uncaughtException', this.listener)
  }

  forget () {
    process.off('unhandledRejection', this.listener)
    process.off('uncaughtException', this.listener)
  }
}

module.exports = { UncaughtErrors }
