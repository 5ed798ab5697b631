'use strict'

// Chooses the scenario of a user's next iteration by weighted round-robin, spread as evenly as possible.

/**
 * Webster's method, as connections choose (choice.js): turn k of a scenario of weight w is at (k + ½) / w, and a user
 * takes the turns in their order. They repeat after as many turns as the sum of the weights, so each such cycle matches
 * the weights exactly. Times are compared as whole numbers: 1 / 3 and its likes would not repeat.
 */
class Turns {
  /**
   * @param {number[]} weights whole numbers of at least 1; users may share them
   * @param {number} phase 0 to 1: which part of all turns is over when the user begins. Users whose phases are spread
   *   evenly are together at the weights in each full cycle
   */
  constructor (weights, phase) {
    this.weights = weights
    const { length } = weights
    const sum = weights.reduce((sum, weight) => sum + weight, 0)
    const over = Math.floor(phase * sum)
    // Of n scenarios those before the time t are t × the sum, to within n / 2.
    const time = Math.max(0, (over - length / 2) / sum)
    /** How many turns of each are over. */
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
   * A scenario has no turn any more, for all users with the weights; the others keep theirs.
   * @param {number} scenario index
   * @returns {boolean} whether any is left
   */
  stop (scenario) {
    this.weights[scenario] = 0
    return this.weights.some(weight => weight > 0)
  }
}

module.exports = { Turns }
