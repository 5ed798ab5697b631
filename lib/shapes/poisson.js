'use strict'

// Random arrivals as of many independent users: a Poisson process with the rate of another pace. It is seeded, so that
// every generator of a run computes the same arrivals and takes its slice.

const { randomFrom } = require('../core/random')

/** @typedef {import('./pace').Pace} Pace */

/**
 * Arrivals are made in blocks; the sum before each and its own seed are kept, so that any of them can be made again.
 */
const BLOCK = 1024

/** The number of kept blocks: requests in a queue are rarely further behind. */
const KEPT = 64

/**
 * With unit exponentials E, the n-th request is due when the other pace has reached E₀ + … + Eₙ requests: this change
 * of time makes a Poisson process of any rate (Çinlar, "Introduction to Stochastic Processes", 1975, 4.7).
 * @implements {Pace}
 */
class PoissonPace {
  /**
   * @param {Pace} mean whose `dueAt` takes fractions of requests, too
   * @param {number} seed
   * @param {number} [end] ms; later due requests are not part of the run
   */
  constructor (mean, seed, end = Infinity) {
    this.mean = mean
    this.end = end
    this.nextSeed = randomFrom(seed)
    /** Of each block that has come up: the sum before it, and its seed. */
    this.sums = [0]
    this.seeds = [this.nextSeed() * 2 ** 32]
    /** @type {Array<{ block: number, sums: Float64Array }>} each at its place */
    this.blocks = Array.from({ length: KEPT }, () => ({ block: -1, sums: NONE }))
    /**
     * The last replaced one: if due and sent requests share a place, both are kept.
     * @type {{ block: number, sums: Float64Array }}
     */
    this.displaced = { block: -1, sums: NONE }
    /** The last result of `dueBy`, from which the next search starts. */
    this.due = 0
  }

  /** At the most: there are more in fewer than one of 10¹² runs. To count them, all would have to be made. */
  get total () {
    const { total } = this.mean
    return total === Infinity ? Infinity : Math.ceil(total + 8 * Math.sqrt(total) + 30)
  }

  /** @param {number} n */
  dueAt (n) {
    const at = this.mean.dueAt(this.block(Math.floor(n / BLOCK))[n % BLOCK])
    return at < this.end ? at : Infinity
  }

  /** @param {number} at */
  dueBy (at) {
    // Time goes on, so it is a step or two.
    let { due } = this
    while (due > 0 && this.dueAt(due - 1) > at) due--
    while (this.dueAt(due) <= at) due++
    this.due = due
    return due
  }

  /** @param {import('./stages').Stage} stage */
  extend (stage) {
    this.mean.extend?.(stage)
  }

  /** Returns the sums of its arrivals. @type {(block: number) => Float64Array} */
  block (block) {
    const place = this.blocks[block % KEPT]
    if (place.block === block) return place.sums
    if (this.displaced.block === block) return this.displaced.sums
    // The sum before it is that of all before.
    for (let last = this.sums.length - 1; last < block; last++) this.make(last)
    return this.make(block)
  }

  /** @param {number} block whose sum before it is known */
  make (block) {
    const place = this.displaced
    this.displaced = this.blocks[block % KEPT]
    this.blocks[block % KEPT] = place
    if (place.sums === NONE) place.sums = new Float64Array(BLOCK)
    place.block = block
    const random = randomFrom(this.seeds[block])
    let sum = this.sums[block]
    for (let i = 0; i < BLOCK; i++) place.sums[i] = sum -= Math.log(1 - random())
    if (this.sums.length === block + 1) {
      this.sums.push(sum)
      this.seeds.push(this.nextSeed() * 2 ** 32)
    }
    return place.sums
  }
}

const NONE = new Float64Array(0)

/** @type {import('./shape').Arrivals & { PoissonPace: typeof PoissonPace }} */
module.exports = {
  PoissonPace,
  paceOver: (even, seed, end) => new PoissonPace(even, seed, end),
  most: 1e6,
  isRandom: true
}
