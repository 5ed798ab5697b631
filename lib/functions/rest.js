'use strict'

// A pause of a user function that goes on: what ends its promise. Those of a user are a list, each knows the next one.

const { AutocannonError } = require('../core/errors')

const noop = () => {}

class Rest {
  /**
   * @param {import('./function-user').FunctionUser} user
   * @param {import('./iteration').Iteration} iteration
   */
  constructor (user, iteration) {
    this.user = user
    this.iteration = iteration
    /** @type {Rest | null} */
    this.before = null
    /** @type {Rest | null} */
    this.next = null
    /** @type {Promise<void> | null} */
    this.promise = null
    /** @type {(value: void) => void} */
    this.resolve = noop
    /** @type {(error: Error) => void} */
    this.reject = noop
  }

  /** @returns {(resolve: (value: void) => void, reject: (error: Error) => void) => void} for its promise */
  get executor () {
    return (resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    }
  }

  /**
   * @param {Promise<void>} promise
   * @param {number} ms
   */
  begin (promise, ms) {
    const { user, iteration } = this
    const { runtime, resting } = user
    const at = runtime.now()
    iteration.change(at, 0, 1)
    this.promise = promise
    this.next = resting
    if (resting !== null) resting.before = this
    user.resting = this
    runtime.sleep(at + ms, this)
    return promise
  }

  /** It is over. */
  wake () {
    const { user, iteration, before, next } = this
    if (user.closed) return
    if (before === null) user.resting = next
    else before.next = next
    if (next !== null) next.before = before
    iteration.change(user.runtime.now(), 0, -1)
    this.resolve()
  }

  /** The run is over. */
  fail () {
    // Nobody may wait for it, and that ends no process.
    this.promise?.catch(noop)
    this.reject(new AutocannonError('AC_RUN_ENDED', 'the run ended during a pause of a user function'))
  }
}

module.exports = { Rest }
