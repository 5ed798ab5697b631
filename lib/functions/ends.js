'use strict'

// The functions that settle the promise that was made last: an executor for each promise would be one more closure to
// collect. Who makes a promise with `keep` takes them at once.

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
  /** They would keep the last response of a run in memory, with its user. */
  forget () {
    ends.resolve = ends.reject = noop
  }
}

module.exports = { ends }
