'use strict'

// Counts of the iterations of each scenario, and for a rate of iterations, of those that waited or never started.

const { Counts } = require('../../record/counts')
const { ArrivalTally } = require('./arrival-tally')
const { IterationTally } = require('./iteration-tally')

/**
 * @typedef {object} IterationsReport a plain object
 * @property {import('./iteration-tally').IterationCounts[]} scenarios in any order
 * @property {import('./arrival-tally').ArrivalCounts[]} arrivals likewise; none without a rate of iterations
 */

/** @extends {Counts<IterationsReport>} */
class Iterations extends Counts {
  constructor () {
    super()
    /** By the index of the scenario. @type {Map<number, IterationTally>} */
    this.tallies = new Map()
    /** The same for scenarios with a rate; null for several that share one. @type {Map<number | null, ArrivalTally>} */
    this.arrivals = new Map()
  }

  /**
   * @param {number} scenario counted from 0
   * @returns {IterationTally} the same one during the whole run
   */
  of (scenario) {
    let tally = this.tallies.get(scenario)
    if (tally === undefined) this.tallies.set(scenario, tally = new IterationTally(scenario))
    return tally
  }

  /**
   * @param {number | null} scenario with a rate of iterations; null for several that share a rate
   * @returns {ArrivalTally} the same one during the whole run
   */
  arrivalsOf (scenario) {
    let tally = this.arrivals.get(scenario)
    if (tally === undefined) this.arrivals.set(scenario, tally = new ArrivalTally(scenario))
    return tally
  }

  /** @returns {number} completed and aborted iterations */
  get ended () {
    let sum = 0
    for (const { completed, cuts } of this.tallies.values()) sum += completed + cuts
    return sum
  }

  /** @returns {ArrivalTally} of all together */
  get allArrivals () {
    const all = new ArrivalTally(null)
    for (const tally of this.arrivals.values()) all.add(tally.encode())
    return all
  }

  /** @param {IterationsReport} report */
  add ({ scenarios, arrivals }) {
    for (const counts of scenarios) this.of(counts.scenario).add(counts)
    for (const counts of arrivals) this.arrivalsOf(counts.scenario).add(counts)
  }

  /** Starts from 0. References to a tally stay valid. */
  reset () {
    for (const tally of this.tallies.values()) tally.reset()
    for (const tally of this.arrivals.values()) tally.reset()
  }

  /** Excludes the counts so far. Running iterations end later, so they count as started from now on. */
  skip () {
    this.reset()
    for (const tally of this.tallies.values()) tally.started = tally.running
  }

  /** @returns {IterationsReport} without scenarios that have no iterations */
  encode () {
    const counted = (/** @type {Map<any, any>} */ tallies) =>
      [...tallies.values()].filter(({ hasCounted }) => hasCounted).map(tally => tally.encode())
    return { scenarios: counted(this.tallies), arrivals: counted(this.arrivals) }
  }
}

module.exports = { Iterations, Total: Iterations }
