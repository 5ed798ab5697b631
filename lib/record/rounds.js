'use strict'

// Owns what is counted of the rounds of a run: those of each scenario, and with a rate of rounds those that had to wait for a connection or
// never started.

const { Histogram } = require('./histogram')
const { RoundTally } = require('./round-tally')

/**
 * @typedef {object} RoundsReport a plain object
 * @property {import('./round-tally').RoundCounts[]} scenarios in any order
 * @property {number} arrived rounds that were due at a time, and began
 * @property {number} neverStarted rounds that were due and had not started when the run ended
 * @property {import('./histogram').Encoded} wait of the rounds that were due while every connection was busy
 */

class Rounds {
  constructor () {
    /** By the index of the scenario. @type {Map<number, RoundTally>} */
    this.tallies = new Map()
    // As in a RoundsReport.
    this.arrived = 0
    this.neverStarted = 0
    this.wait = new Histogram()
  }

  /**
   * @param {number} scenario counted from 0
   * @returns {RoundTally} the one of that scenario, for as long as the run lasts
   */
  of (scenario) {
    let tally = this.tallies.get(scenario)
    if (tally === undefined) this.tallies.set(scenario, tally = new RoundTally(scenario))
    return tally
  }

  /** @param {RoundsReport} report */
  add ({ scenarios, arrived, neverStarted, wait }) {
    for (const counts of scenarios) this.of(counts.scenario).add(counts)
    this.arrived += arrived
    this.neverStarted += neverStarted
    this.wait.addEncoded(wait)
  }

  /** Counts from 0; whoever holds a tally goes on with it. */
  reset () {
    for (const tally of this.tallies.values()) tally.reset()
    this.arrived = 0
    this.neverStarted = 0
    this.wait.reset()
  }

  /** Leaves out of the figures what was counted so far. Rounds that go on end later, so they count as started from now on. */
  skip () {
    this.reset()
    for (const tally of this.tallies.values()) tally.started = tally.going
  }

  /** @returns {RoundsReport} what was counted since the last time */
  take () {
    const report = this.encode()
    this.reset()
    return report
  }

  /** @returns {RoundsReport} with the scenarios of which there is anything to say */
  encode () {
    const { tallies, arrived, neverStarted, wait } = this
    return { scenarios: [...tallies.values()].filter(({ hasCounted }) => hasCounted).map(tally => tally.encode()), arrived, neverStarted, wait: wait.encode() }
  }
}

module.exports = { Rounds }
