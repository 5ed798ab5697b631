'use strict'

// Selects the scenario of a user's next iteration by weighted round-robin, spread as evenly as possible.

/**
 * Webster's method, as for connections (choice.js): the k-th iteration of a scenario with weight w is at (k + ½) / w,
 * and a user runs iterations in that order. The order repeats after a cycle of as many iterations as the sum of the
 * weights, so each cycle matches the weights exactly. Positions are compared as whole numbers, because fractions such
 * as 1 / 3 are rounded.
 */
class WeightedRoundRobin {
  /**
   * @param {number[]} weights whole numbers of at least 1; the array may be shared by users
   * @param {number} phase from 0 up to 1: the part of the cycle that is skipped at the start. With evenly spread
   *   phases, all users together match the weights at any time
   */
  constructor (weights, phase) {
    this.weights = weights
    const { length } = weights
    const sum = weights.reduce((sum, weight) => sum + weight, 0)
    const over = Math.floor(phase * sum)
    // Before position t there are t × sum iterations, within half the number of scenarios.
    const time = Math.max(0, (over - length / 2) / sum)
    /** The number of iterations of each scenario so far. */
    this.taken = weights.map(weight => Math.max(0, Math.ceil(time * weight - 0.5)))
    for (let rest = over - this.taken.reduce((sum, turns) => sum + turns, 0); rest > 0; rest--) this.next()
  }

  /** @returns {number} index of a scenario */
  next () {
    const { weights, taken } = this
    let first = 0
    for (let i = 1; i < weights.length; i++) {
      if ((2 * taken[i] + 1) * weights[first] < (2 * taken[first] + 1) * weights[i]) first = i
    }
    taken[first]++
    return first
  }

  /**
   * Ends a scenario for all users with these weights. The others keep their order.
   * @param {number} scenario index
   * @returns {boolean} whether any scenario is left
   */
  stop (scenario) {
    this.weights[scenario] = 0
    return this.weights.some(weight => weight > 0)
  }
}

module.exports = { WeightedRoundRobin }
