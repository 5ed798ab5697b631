'use strict'

// The time of a group, and the requests that its callback begins before its first `await`. The time ends with the
// callback: a request that nothing waits for is not in it, and the row of the group would show 0.3 ms for 300 ms.

const { parseName } = require('../checks/rule')
const { show } = require('../core/foreign-text')
const { isPromise } = require('../requests/hook-result')

const FORM = "write await group('buy', async () => { … })"

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

/** @type {(iteration: import('./iteration').Iteration, name: unknown, run: unknown) => Promise<unknown>} */
async function runGroup (iteration, name, run) {
  const { functionUser: user } = iteration
  const key = nameOf(user, name)
  if (typeof run !== 'function') {
    throw user.misused(new TypeError(`group(${show(key)}): expected a function, got ${show(run)}: ${FORM}`))
  }
  const { runtime, grouped } = user
  const calls = new GroupCalls(runtime.groupsToWatch > 0)
  if (calls.ignored !== null) runtime.groupsToWatch--
  const at = runtime.now()
  let given
  // Parallel groups are called one after the other, and each has the requests of its callback.
  user.grouped = calls
  try {
    given = run()
  } finally {
    user.grouped = grouped
  }
  const returned = await given
  if (user.closed) return returned
  const mistake = calls.mistakeIn(key, isPromise(given))
  if (mistake !== null) throw user.misused(mistake)
  if (iteration === user.iteration) runtime.groups.record(key, runtime.now() - at)
  return returned
}

/** @type {(user: import('./function-user').FunctionUser, name: unknown) => string} */
function nameOf (user, name) {
  try {
    return parseName(name)
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw user.misused(new TypeError(`group: its name comes first: ${message}: ${FORM}`))
  }
}

module.exports = { GroupCalls, MOST_WATCHED, runGroup }
