'use strict'

// The pending pauses of one user function, as a linked list: thousands may begin and end in any order.

const { AutocannonError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { NEVER, ends } = require('./ends')
const { misuse } = require('./misuse')
const { Pause } = require('./pause')

/**
 * @typedef {import('./function-user').FunctionUser} FunctionUser
 * @typedef {import('./iteration').Iteration} Iteration
 */

const noop = () => {}

class Rest {
  /**
   * @param {Pauses} pauses
   * @param {Iteration} iteration
   * @param {Promise<void>} promise that was made last, with `ends.keep`
   */
  constructor (pauses, iteration, promise) {
    /** Null when it has ended before its time. @type {Pauses | null} */
    this.pauses = pauses
    /** @type {Iteration | null} */
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

  /** Whether nothing waits for its time any more. */
  get isOver () {
    return this.pauses === null
  }

  wake () {
    if (this.pauses === null || this.pauses.user.closed) return
    this.pauses.remove(this)
    this.resolve()
  }

  /** The timer keeps it until its time, without its references. */
  forget () {
    this.pauses = this.iteration = this.before = this.next = this.promise = null
    this.resolve = this.reject = noop
  }

  /** @type {(code: string, message: string) => void} */
  fail (code, message) {
    // It may never be awaited, and an unhandled rejection would end the process.
    this.promise?.catch(noop)
    this.reject(new AutocannonError(code, message))
  }
}

class Pauses {
  /** @param {FunctionUser} user */
  constructor (user) {
    this.user = user
    /** The one that began last. @type {Rest | null} */
    this.last = null
    /** Pauses that nothing has awaited so far; null before the first checked one. @type {Set<Pause> | null} */
    this.ignored = null
  }

  /**
   * @param {Iteration} iteration
   * @param {number} ms
   * @param {unknown} given as the function has it
   * @param {Function} caller with stack frames that mean nothing to a user
   * @returns {Promise<void>} resolves at its end, and rejects at the end of the run
   */
  beginCalled (iteration, ms, given, caller) {
    const { closed, runtime } = this.user
    if (closed) return NEVER
    if (iteration.over && !iteration.isCut) {
      throw new TypeError(`pause(${show(given)}) begins after the function has returned: is an await missing? An ` +
        'async callback of forEach is not awaited: use for … of, or Promise.all')
    }
    // A missing await shows in the first iterations. Detecting it takes memory for each user.
    if (runtime.pausesToWatch === 0) return this.begin(iteration, ms)
    runtime.pausesToWatch--
    this.ignored ??= new Set()
    return this.add(iteration, ms, Pause.of(given, this.ignored, caller))
  }

  /** @type {(iteration: Iteration, ms: number) => Promise<void>} */
  begin (iteration, ms) {
    return this.user.closed ? NEVER : this.add(iteration, ms, new Promise(ends.keep))
  }

  /** @type {(iteration: Iteration, ms: number, promise: Promise<void>) => Promise<void>} */
  add (iteration, ms, promise) {
    const { last, user: { runtime } } = this
    const rest = new Rest(this, iteration, promise)
    const at = runtime.now()
    iteration.change(at, 0, 1)
    rest.next = last
    if (last !== null) last.before = rest
    this.last = rest
    runtime.sleep(at + ms, rest)
    return promise
  }

  /** @param {Rest} rest */
  remove ({ before, next, iteration }) {
    if (before === null) this.last = next
    else before.next = next
    if (next !== null) next.before = before
    iteration?.change(this.user.runtime.now(), 0, -1)
  }

  /** @returns {Error | null} the problem if the function has returned and one of them was not awaited */
  takeMistake () {
    if (this.ignored === null || this.ignored.size === 0) return null
    const [first] = this.ignored
    this.ignored.clear()
    return misuse(first.mistake)
  }

  /** The iteration has ended: at high rates its pauses would fill the memory. */
  drop () {
    for (let rest = this.last; rest !== null; rest = this.last) {
      this.remove(rest)
      rest.fail('AC_ITERATION_OVER', 'the iteration ended during a pause of a user function')
      rest.forget()
    }
  }

  /** The run is over. */
  fail () {
    for (let rest = this.last; rest !== null; rest = rest.next) {
      rest.fail('AC_RUN_ENDED', 'the run ended during a pause of a user function')
    }
    this.last = null
  }
}

module.exports = { Pauses }
