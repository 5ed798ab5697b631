'use strict'

// When requests are due, as pure arithmetic: no clock, no timer, and no count of sent requests. Times are ms since the
// start of the load.

const { ARRIVALS, SHAPES } = require('../parts')

/**
 * Determines when requests are due.
 * @typedef {object} Pace
 * @property {number} total how many requests are due in all, at most; Infinity without an end
 * @property {(n: number) => number} dueAt when the n-th request is due, counted from 0; Infinity for a request beyond
 *   the end
 * @property {(at: number) => number} dueBy how many requests are due at or before that time
 * @property {(stage: import('./stages').Stage) => void} [extend] adds a stage, where the rate changes by stages
 */

/** Every n-th request of a pace. @implements {Pace} */
class Slice {
  /**
   * @param {Pace} whole
   * @param {number} first index of the first request of the slice
   * @param {number} step distance to the next one
   */
  constructor (whole, first, step) {
    this.whole = whole
    this.first = first
    this.step = step
  }

  get total () {
    return this.of(this.whole.total)
  }

  /** @param {number} n */
  dueAt (n) {
    return this.whole.dueAt(this.first + n * this.step)
  }

  /** @param {number} at */
  dueBy (at) {
    return this.of(this.whole.dueBy(at))
  }

  /** @param {import('./stages').Stage} stage */
  extend (stage) {
    this.whole.extend?.(stage)
  }

  /**
   * @param {number} n number of requests of the whole
   * @returns {number} how many of them are in the slice
   */
  of (n) {
    return Math.max(0, Math.ceil((n - this.first) / this.step))
  }
}

/** One pace until some time, and another from then on. @implements {Pace} */
class Sequel {
  /**
   * @param {Pace} before
   * @param {number} at ms
   * @param {Pace} after a pace without due requests before that time
   */
  constructor (before, at, after) {
    this.before = before
    this.at = at
    this.after = after
    /** The number of requests of the first pace. */
    this.change = before.dueBy(at)
    this.total = this.change + after.total
  }

  /** @param {number} n */
  dueAt (n) {
    // A loop: a pace may have changed thousands of times.
    let { change, after, before } = this
    while (n < change) {
      if (!(before instanceof Sequel)) return before.dueAt(n);
      ({ change, after, before } = before)
    }
    return after.dueAt(n - change)
  }

  /** @param {number} at */
  dueBy (at) {
    return at < this.at ? this.before.dueBy(at) : this.change + this.after.dueBy(at)
  }
}

/** Nothing is due. @type {Pace} */
const NEVER = Object.freeze({ total: 0, dueAt: () => Infinity, dueBy: () => 0 })

/**
 * @typedef {object} Pacing the parameters of a pace
 * @property {number} rate requests per second of one generator, on average
 * @property {number} part index of the load generator, from 0
 * @property {number} parts number of load generators
 * @property {string} [shape] one of SHAPES; a constant rate when left out
 * @property {any} [form] further parameters, of all generators together
 * @property {string} [arrivals] `even`, or one of ARRIVALS
 * @property {number} [seed] of arrivals at random
 */

/**
 * The pace of one load generator. Several send requests round-robin: the i-th one sends the i-th request.
 * @param {Pacing} pacing
 * @param {number} [end] ms
 * @returns {Pace}
 */
function paceOf (pacing, end) {
  const { shape = 'constant', arrivals = 'even', seed = 1, part, parts } = pacing
  const even = SHAPES[shape].load().paceOf(pacing, end)
  const whole = arrivals === 'even' ? even : ARRIVALS[arrivals].load().paceOver(even, seed, end)
  return parts === 1 ? whole : new Slice(whole, part, parts)
}

/** The longest interval for which load generators are phased, ms. */
const LONGEST_STEP = 100

/**
 * The requests of several load generators are evenly spread only if all start at a multiple of the interval between two
 * requests of one. With long intervals the start does not matter. This is for a constant pace: any other needs a common
 * start.
 * @param {Pace} pace of one of them
 * @param {number} at ms on a clock that they share
 * @returns {number} ms until it may start
 */
function untilInStep (pace, at) {
  const interval = pace.dueAt(1) - pace.dueAt(0)
  return interval > LONGEST_STEP ? 0 : interval - at % interval
}

module.exports = { Slice, Sequel, NEVER, paceOf, untilInStep }
