'use strict'

// The promise of a pause, which knows whether anything waits for it: a pause without an `await` has no effect, and
// nothing else would tell.

const { show } = require('../core/foreign-text')

/** Of so many pauses of a thread it is known. */
const MOST_WATCHED = 1000

/** @extends {Promise<void>} */
class Pause extends Promise {
  /** `await` looks for the `then` of what is no plain promise. */
  static get [Symbol.species] () {
    return Promise
  }

  /**
   * @param {unknown} given its length, as the function has it
   * @param {Set<Pause>} ignored it is one of these until something waits for it
   * @param {Function} caller whose frames say nothing to a user
   * @param {(resolve: (value: void) => void, reject: (error: Error) => void) => void} begin
   */
  static of (given, ignored, caller, begin) {
    const pause = /** @type {Pause} */ (new Pause(begin))
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

  /** @returns {TypeError} what is wrong with it where nothing waits for it */
  get mistake () {
    const call = `pause(${show(this.given)})`
    const error = this.place ?? new TypeError()
    error.message = `${call} has no effect, because nothing waits for it: write await ${call}`
    return error
  }
}

module.exports = { MOST_WATCHED, Pause }
