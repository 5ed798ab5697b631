'use strict'

// The values that all templates of a load generator share: data sources, counter, environment variables, random
// numbers.

const { Own } = require('./own')
const { Sources, chanceOf } = require('./sources')

/**
 * @typedef {object} PlannedSharedValues plain data
 * @property {ReadonlyArray<import('./sources').PlannedSource>} sources
 * @property {Readonly<Record<string, string>>} env the environment variables in use
 * @property {import('../requests/picks').Turn} turn this load generator among all, for the counter
 * @property {number} seed of random values
 */

class SharedValues {
  /**
   * @param {PlannedSharedValues} planned
   * @param {boolean} shows whether hooks receive the rows of an iteration
   * @param {() => void} [onOver] called once, when a data source is used up that ends the run
   */
  constructor ({ sources, env, turn, seed }, shows, onOver = () => {}) {
    this.sources = new Sources(sources, onOver)
    this.env = env
    this.seed = seed
    this.shows = shows
    /** The counter of `{{counter}}`, for all connections. */
    this.counter = { next: turn.part + 1, step: turn.parts }
    /** Indexes of sources with a row in every iteration. */
    this.always = shows ? [...sources.keys()].filter(i => sources[i].always) : []
  }

  /**
   * @param {ReadonlyArray<{ templates: import('../users/compiled-scenario').Templates | null }>} steps of a scenario
   * @returns {ReadonlyArray<number>} indexes of sources with a row in each of its iterations
   */
  usedBy (steps) {
    return [...new Set([...this.always, ...steps.flatMap(({ templates }) => templates?.sources ?? [])])]
  }

  /** @param {number} number of a connection in the whole run @param {import('./context').Context} context */
  own (number, context) {
    return new Own(context, this.sources.begin(number), chanceOf(this.seed, number))
  }

  /**
   * Begins an iteration that has its context.
   * @param {Own} own
   * @param {ReadonlyArray<number>} used sources
   * @returns {import('./sources').PlannedSource | null} the source without a row left; null when all have one
   */
  begin (own, used) {
    const { sources, shows } = this
    const usedUp = sources.draw(own, used)
    if (usedUp === null && shows) sources.show(own, used)
    return usedUp
  }
}

module.exports = { SharedValues }
