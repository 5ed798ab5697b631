'use strict'

// The requests that the callback of a group begins before its first `await`. The time of a group ends with its
// callback: a request that nothing waits for is not in it, and the row of the group would show 0.3 ms for 300 ms.

const { show } = require('../core/foreign-text')

/** The limit of groups of a thread that are checked for requests without an `await`. */
const MOST_WATCHED = 1000

/** @extends {Promise<any>} */
class WatchedRequest extends Promise {
  /** `await` reads the `then` of a subclass of Promise. */
  static get [Symbol.species] () {
    return Promise
  }

  /** @type {Set<WatchedRequest> | null} */
  ignored = null

  /** @type {Promise<any>['then']} */
  then (resolved, rejected) {
    this.ignored?.delete(this)
    return super.then(resolved, rejected)
  }
}

class GroupCalls {
  /** @param {boolean} isWatched whether an `await` of each of them is looked for */
  constructor (isWatched) {
    this.count = 0
    /** Those that nothing has waited for so far. @type {Set<WatchedRequest> | null} */
    this.ignored = isWatched ? new Set() : null
  }

  /** @type {(promise: Promise<any>) => Promise<any>} */
  add (promise) {
    this.count++
    if (this.ignored === null) return promise
    const watched = /** @type {WatchedRequest} */ (new WatchedRequest(resolve => resolve(promise)))
    watched.ignored = this.ignored.add(watched)
    return watched
  }

  /** A loop waits for its events and not for its promise, so it is not known whether anything waits for it. */
  addStream () {
    this.count++
  }

  /**
   * @param {string} name of the group, whose callback has ended
   * @param {boolean} isAsync whether that returned a promise
   * @returns {TypeError | null} the problem
   */
  mistakeIn (name, isAsync) {
    const isIgnored = isAsync ? this.ignored !== null && this.ignored.size > 0 : this.count > 0
    if (!isIgnored) return null
    return new TypeError(`group(${show(name)}) ends before its requests, because nothing waits for them: ` +
      'return or await each request in it')
  }
}

module.exports = { GroupCalls, MOST_WATCHED }
