'use strict'

// Owns which scenario a user takes for its next round: each has its turns by weight, as evenly as it goes.

/**
 * Smooth weighted round robin (as in nginx): at each turn every scenario gains its weight, and the one that has most is taken and pays the sum
 * of all. After as many turns as the weights sum up to, each has had exactly its weight.
 */
class Turns {
  /**
   * @param {ReadonlyArray<number>} weights
   * @param {number} phase 0 to 1: which part of the first cycle is over
   */
  constructor (weights, phase) {
    this.weights = weights
    this.sum = weights.reduce((sum, weight) => sum + weight, 0)
    this.gained = weights.map(() => 0)
    for (let turn = Math.floor(phase * Math.min(this.sum, MOST_SKIPPED)); turn > 0; turn--) this.next()
  }

  /** @returns {number} index of a scenario */
  next () {
    const { weights, gained } = this
    let best = 0
    for (let i = 0; i < weights.length; i++) {
      gained[i] += weights[i]
      if (gained[i] > gained[best]) best = i
    }
    gained[best] -= this.sum
    return best
  }
}

/** Users are out of step after so many turns at the latest: more take time for each user that comes. */
const MOST_SKIPPED = 1000

module.exports = { Turns }
