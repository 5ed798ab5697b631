'use strict'

// The promise of a pause, which detects a missing `await`: such a pause has no effect, and nothing else would show it.

const { show } = require('../core/foreign-text')
const { ends } = require('./ends')

/** The limit of checked pauses per thread. */
const MOST_WATCHED = 1000

/** @extends {Promise<void>} */
class Pause extends Promise {
  /** `await` reads the `then` of a subclass of Promise. */
  static get [Symbol.species] () {
    return Promise
  }

  /**
   * @param {unknown} given its length, as the function has it
   * @param {Set<Pause>} ignored it is one of these until something waits for it
   * @param {Function} caller with stack frames that mean nothing to a user
   */
  static of (given, ignored, caller) {
    const pause = /** @type {Pause} */ (new Pause(ends.keep))
    pause.given = given
    pause.ignored = ignored.add(pause)
    Error.captureStackTrace(pause.place = new TypeError(), caller)
    return pause
  }

  /** @type {unknown} */
  given = undefined
  /** @type {Set<Pause> | null} */
  ignored = null
  /** Where it is in the function; null when that is not known. @type {TypeError | null} */
  place = null

  /** @type {Promise<void>['then']} */
  then (resolved, rejected) {
    this.ignored?.delete(this)
    return super.then(resolved, rejected)
  }

  /** @returns {TypeError} the problem if it is not awaited */
  get mistake () {
    const call = `pause(${show(this.given)})`
    const error = this.place ?? new TypeError()
    error.message = `${call} has no effect, because nothing waits for it: write await ${call}`
    return error
  }
}

module.exports = { MOST_WATCHED, Pause }
