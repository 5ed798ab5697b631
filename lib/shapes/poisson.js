'use strict'

// Random arrivals, as from many independent users: a Poisson process with the rate of another pace. It is seeded: all
// load generators compute the same arrivals, and each takes its slice.

const { randomFrom } = require('../core/random')

/** @typedef {import('./pace').Pace} Pace */

/**
 * Arrivals are computed in blocks. The seed of each block and the sum before it are kept, so that any block can be
 * computed again.
 */
const BLOCK = 1024

/** The number of kept blocks: queued requests are rarely older. */
const KEPT = 64

/**
 * With unit exponentials E, the n-th request is due when the other pace has reached E₀ + … + Eₙ requests: this change
 * of time makes a Poisson process of any rate (Çinlar, "Introduction to Stochastic Processes", 1975, 4.7).
 * @implements {Pace}
 */
class PoissonPace {
  /**
   * @param {Pace} mean its `dueAt` must accept fractions of requests
   * @param {number} seed
   * @param {number} [end] ms; later due requests are not part of the run
   */
  constructor (mean, seed, end = Infinity) {
    this.mean = mean
    this.end = end
    this.nextSeed = randomFrom(seed)
    /** The sum before each block so far, and its seed. */
    this.sums = [0]
    this.seeds = [this.nextSeed() * 2 ** 32]
    /** @type {Array<{ block: number, sums: Float64Array }>} by the number of the block modulo KEPT */
    this.blocks = Array.from({ length: KEPT }, () => ({ block: -1, sums: NONE }))
    /**
     * The last replaced block: if the blocks of due and of sent requests have the same index, both are kept.
     * @type {{ block: number, sums: Float64Array }}
     */
    this.displaced = { block: -1, sums: NONE }
    /** The last result of `dueBy`, from which the next search starts. */
    this.due = 0
  }

  /** An upper bound: fewer than one of 10¹² runs exceed it. An exact count would require computing all arrivals. */
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
    // Calls have increasing times, so this takes one or two steps.
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
    // The sum before a block requires all earlier blocks.
    for (let last = this.sums.length - 1; last < block; last++) this.make(last)
    return this.make(block)
  }

  /** @param {number} block a block with a known sum before it */
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
