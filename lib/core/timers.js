'use strict'

// Timers. Those of a load generator fire once, repeatedly, or in the next turn of the event loop, and stop together.

/** The longest delay of setTimeout, ms: 25 days. */
const LONGEST = 2 ** 31 - 1

/**
 * Rounds a delay down to whole ms within the limits of setTimeout. The timer may fire too early, so its action checks
 * the clock.
 * @param {number} delay ms
 */
const countable = delay => Math.min(LONGEST, Math.max(1, Math.trunc(delay)))

/**
 * @typedef {object} Loop timer functions of Node.js; tests replace it
 * @property {(action: () => void, ms: number) => NodeJS.Timeout} setTimeout
 * @property {(timer: NodeJS.Timeout | undefined) => void} clearTimeout
 * @property {(action: () => void) => NodeJS.Immediate} setImmediate
 * @property {(immediate: NodeJS.Immediate | undefined) => void} clearImmediate
 */

class Timers {
  /** @param {Loop} [loop] */
  constructor (loop = { setTimeout, clearTimeout, setImmediate, clearImmediate }) {
    this.loop = loop
    /** @type {Set<NodeJS.Timeout>} */
    this.set = new Set()
    this.stopped = false
  }

  /** @param {number} delay ms @param {() => void} action */
  after (delay, action) {
    const timer = this.loop.setTimeout(() => {
      this.set.delete(timer)
      action()
    }, countable(delay))
    this.set.add(timer)
    return timer
  }

  /**
   * Repeats an action. An unchanged delay refreshes the timer, which costs a fraction of a new one.
   * @param {() => number} delay until the next time, ms
   * @param {() => void} action
   * @returns {() => void} ends the repetition
   */
  every (delay, action) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    let length = 0
    let ended = false
    const wind = () => {
      const ms = countable(delay())
      if (timer !== undefined) {
        if (ms === length) {
          timer.refresh()
          return
        }
        this.set.delete(timer)
      }
      length = ms
      timer = this.loop.setTimeout(() => {
        action()
        if (!this.stopped && !ended) wind()
      }, ms)
      this.set.add(timer)
    }
    wind()
    return () => {
      ended = true
      this.cancel(timer)
    }
  }

  /** @param {NodeJS.Timeout | undefined} timer */
  cancel (timer) {
    if (timer === undefined) return
    this.loop.clearTimeout(timer)
    this.set.delete(timer)
  }

  /** @param {() => void} action in the next turn of the event loop; `stop` does not end it */
  soon (action) {
    return this.loop.setImmediate(action)
  }

  /** @param {NodeJS.Immediate | undefined} immediate */
  cancelSoon (immediate) {
    this.loop.clearImmediate(immediate)
  }

  /** Cancels all pending actions. */
  stop () {
    this.stopped = true
    for (const timer of this.set) this.loop.clearTimeout(timer)
    this.set.clear()
  }
}

/**
 * @template T
 * @param {number} ms
 * @param {Promise<T>} promise
 * @param {() => Error} [late] makes the error for a timeout
 * @returns {Promise<T | undefined>} undefined on a timeout without `late`
 */
async function withTimeout (ms, promise, late) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const over = new Promise((resolve, reject) => {
    timer = setTimeout(() => late === undefined ? resolve(undefined) : reject(late()), ms)
  })
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}

module.exports = { Timers, withTimeout }
