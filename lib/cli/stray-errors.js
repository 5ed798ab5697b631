'use strict'

// What the code of user functions throws where nobody waits for it, in a callback or a promise of its own. Node.js
// would end the process without a report: here the run ends with that, and its report says so.

const { AutocannonError, HookError } = require('../core/errors')

/** How many are told where the run goes on. */
const MOST_TOLD = 10

class StrayErrors {
  /**
   * @param {import('../run/instance').Instance} instance
   * @param {boolean} keepGoing
   * @param {(message: string) => void} complain
   */
  constructor (instance, keepGoing, complain) {
    let told = 0
    /** What the run ended with. @type {HookError | null} */
    this.failure = null
    this.listener = (/** @type {unknown} */ error) => {
      // The outcome of a request, which is counted: a server that breaks ends no load test.
      const isOutcome = error instanceof AutocannonError && !(error instanceof HookError)
      if (isOutcome && /** @type {{ isMistake?: boolean }} */ (error).isMistake !== true) return
      const failure = HookError.failed('code of a user function that nothing waits for', error)
      if (keepGoing) {
        if (told++ < MOST_TOLD) complain(failure.message)
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

module.exports = { StrayErrors }
