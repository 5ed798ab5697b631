'use strict'

// The pending pause of a user function, which settles its promise. Those of a user are a linked list.

const { AutocannonError } = require('../core/errors')
const { ends } = require('./ends')

const noop = () => {}

class Rest {
  /**
   * @param {import('./function-user').FunctionUser} user
   * @param {import('./iteration').Iteration} iteration
   * @param {Promise<void>} promise that was made last, with `ends.keep`
   */
  constructor (user, iteration, promise) {
    /** Null when it has ended before its time. @type {import('./function-user').FunctionUser | null} */
    this.user = user
    /** @type {import('./iteration').Iteration | null} */
    this.iteration = iteration
    /** @type {Rest | null} */
    this.before = null
    /** @type {Rest | null} */
    this.next = null
    /** @type {Promise<void> | null} */
    this.promise = promise
    /** @type {(value: void) => void} */
    this.resolve = ends.resolve
    /** @type {(error: Error) => void} */
    this.reject = ends.reject
    ends.forget()
  }

  /** @param {number} ms */
  begin (ms) {
    const user = /** @type {import('./function-user').FunctionUser} */ (this.user)
    const { runtime, resting } = user
    const at = runtime.now()
    this.iteration?.change(at, 0, 1)
    this.next = resting
    if (resting !== null) resting.before = this
    user.resting = this
    runtime.sleep(at + ms, this)
  }

  /** Whether nothing waits for its time any more. */
  get isOver () {
    return this.user === null
  }

  wake () {
    const { user, iteration } = this
    if (user === null || iteration === null || user.closed) return
    this.unlink(user)
    iteration.change(user.runtime.now(), 0, -1)
    this.resolve()
  }

  /** @param {import('./function-user').FunctionUser} user */
  unlink (user) {
    const { before, next } = this
    if (before === null) user.resting = next
    else before.next = next
    if (next !== null) next.before = before
  }

  /** Its iteration is over. The timer keeps it until its time, without its references. */
  drop () {
    const { user, iteration } = this
    if (user === null || iteration === null) return
    this.unlink(user)
    iteration.change(user.runtime.now(), 0, -1)
    this.end('AC_ITERATION_OVER', 'the iteration ended during a pause of a user function')
    this.user = this.iteration = this.before = this.next = this.promise = null
    this.resolve = this.reject = noop
  }

  /** The run is over. */
  fail () {
    this.end('AC_RUN_ENDED', 'the run ended during a pause of a user function')
  }

  /** @type {(code: string, message: string) => void} */
  end (code, message) {
    // It may never be awaited, and an unhandled rejection would end the process.
    this.promise?.catch(noop)
    this.reject(new AutocannonError(code, message))
  }
}

module.exports = { Rest }
