'use strict'

// Promises of hooks that requests and responses wait for. Each has a timeout: with a promise that never settles, a user
// would wait for ever and a run by amount would not end. The timeout is the same, so the oldest promise expires first.

const { formatInteger } = require('../core/units')

/**
 * @typedef {object} Waiting
 * @property {number} until
 * @property {() => Error} late makes the error that it rejects with then
 * @property {(error: Error) => void} reject
 * @property {{ unjudged: number } | null} tally of a check, which counts those that are still open at the end
 */

class Awaited {
  /**
   * @param {number} timeout ms
   * @param {() => number} now
   * @param {(sleeper: { wake: () => void }, until: number) => void} sleep
   */
  constructor (timeout, now, sleep) {
    this.timeout = timeout
    this.now = now
    this.sleep = sleep
    /** In the order of their times. @type {Set<Waiting>} */
    this.open = new Set()
    this.isWatched = false
  }

  /** The timeout in messages. */
  get limit () {
    return `${formatInteger(this.timeout / 1000)} s (timeout)`
  }

  /**
   * @template T
   * @param {PromiseLike<T>} promise
   * @param {() => Error} late
   * @param {{ unjudged: number } | null} [tally]
   * @returns {Promise<T>} that is rejected when the time is over
   */
  settled (promise, late, tally = null) {
    return new Promise((resolve, reject) => {
      const one = { until: this.now() + this.timeout, late, reject, tally }
      this.open.add(one)
      this.watch()
      // A thenable that is no promise may throw, or call both.
      Promise.resolve(promise).then(value => {
        this.open.delete(one)
        resolve(value)
      }, error => {
        this.open.delete(one)
        reject(error)
      })
    })
  }

  /** One timer for all: most have settled before it fires. */
  watch () {
    const [first] = this.open
    if (this.isWatched || first === undefined) return
    this.isWatched = true
    this.sleep(this, first.until)
  }

  wake () {
    this.isWatched = false
    const at = this.now()
    for (const one of this.open) {
      if (one.until > at) break
      this.open.delete(one)
      one.reject(one.late())
    }
    this.watch()
  }

  /** The run is over. */
  close () {
    for (const { tally } of this.open) if (tally !== null) tally.unjudged++
    this.open.clear()
  }
}

module.exports = { Awaited }
