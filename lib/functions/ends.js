'use strict'

// The functions that settle the last promise that was made with `keep`. A separate executor would be a closure
// for each promise.

const noop = () => {}

const ends = {
  /** @type {(value: any) => void} */
  resolve: noop,
  /** @type {(error: any) => void} */
  reject: noop,
  /** @type {(resolve: (value: any) => void, reject: (error: any) => void) => void} */
  keep (resolve, reject) {
    ends.resolve = resolve
    ends.reject = reject
  },
  /** Otherwise they would keep the last response and its user in memory. */
  forget () {
    ends.resolve = ends.reject = noop
  }
}

/**
 * What a function awaits once the run is over for its user.
 * @type {Promise<never>}
 */
const NEVER = new Promise(noop)

module.exports = { NEVER, ends }
