'use strict'

// The shared values of a generator's templates: data sources, counter, environment variables, and random numbers.

const { Own } = require('./own')
const { Sources, chanceOf } = require('./sources')

/**
 * @typedef {object} PlannedSharedValues plain data
 * @property {ReadonlyArray<import('./sources').PlannedSource>} sources
 * @property {Readonly<Record<string, string>>} env used variables of the environment
 * @property {import('../requests/picks').Turn} turn round-robin counting of generators
 * @property {number} seed of random values
 */

class SharedValues {
  /**
   * @param {PlannedSharedValues} planned
   * @param {boolean} shows whether hooks see the rows of an iteration
   * @param {() => void} [onOver] called once, when data is used up that the run ends with
   */
  constructor ({ sources, env, turn, seed }, shows, onOver = () => {}) {
    this.sources = new Sources(sources, onOver)
    this.env = env
    this.seed = seed
    this.shows = shows
    /** How many numbers all connections have counted. */
    this.counter = { next: turn.part + 1, step: turn.parts }
    /** Sources that every iteration has a row of. */
    this.always = shows ? [...sources.keys()].filter(i => sources[i].always) : []
  }

  /**
   * @param {ReadonlyArray<{ templates: import('../users/compiled-scenario').Templates | null }>} steps of a scenario
   * @returns {ReadonlyArray<number>} the sources that each of its iterations has a row of
   */
  usedBy (steps) {
    return [...new Set([...this.always, ...steps.flatMap(({ templates }) => templates?.sources ?? [])])]
  }

  /** @param {number} number of a connection in the whole run @param {import('./context').Context} context */
  own (number, context) {
    return new Own(context, this.sources.begin(number), chanceOf(this.seed, number))
  }

  /**
   * An iteration begins, and has its context.
   * @param {Own} own
   * @param {ReadonlyArray<number>} used sources
   * @returns {import('./sources').PlannedSource | null} the source that has no row left for it
   */
  begin (own, used) {
    const { sources, shows } = this
    const usedUp = sources.draw(own, used)
    if (usedUp === null && shows) sources.show(own, used)
    return usedUp
  }
}

module.exports = { SharedValues }
