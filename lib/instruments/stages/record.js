'use strict'

// The tallies of all stages of a run: the sums of those that load generators hand over (live-stages.js).

const { StageTally } = require('./stage-tally')

/** A tally has a histogram of 190 KB, and a run may have thousands of stages: further ones are kept encoded. */
const MOST_OPEN = 16

/**
 * @typedef {object} StageReport what a load generator hands over
 * @property {number} settled ms since the start of the load: all requests due before have been sent or dropped
 * @property {StageCounts[]} counts of stages with new counts
 *
 * @typedef {import('./stage-tally').StageCounts} StageCounts
 */

class StageTallies {
  constructor () {
    /** By the index of the stage; the most recently used one is last. @type {Map<number, StageTally>} */
    this.open = new Map()
    /** @type {Map<number, StageCounts>} */
    this.packed = new Map()
  }

  /**
   * @param {number} stage counted from 0
   * @returns {StageTally} valid until MOST_OPEN others have been used
   */
  of (stage) {
    const tally = this.open.get(stage) ?? this.unpack(stage)
    this.open.delete(stage)
    this.open.set(stage, tally)
    return tally
  }

  /** @param {number} stage */
  unpack (stage) {
    let spare
    if (this.open.size >= MOST_OPEN) {
      const [[other, tally]] = this.open
      this.open.delete(other)
      this.packed.set(other, tally.encode())
      tally.reset()
      spare = tally.latency
    }
    const tally = new StageTally(stage, spare)
    const counts = this.packed.get(stage)
    if (counts !== undefined) tally.add(counts)
    this.packed.delete(stage)
    return tally
  }

  /** @param {Pick<StageReport, 'counts'>} report */
  add ({ counts }) {
    for (const one of counts) this.of(one.stage).add(one)
  }

  /** The generator is lost, so its requests in flight are abandoned. */
  abandonRest () {
    for (const stage of [...this.open.keys(), ...this.packed.keys()]) {
      const tally = this.of(stage)
      tally.abandoned = tally.sent - tally.completed - tally.timedOut - tally.failed
    }
  }

  /** @returns {Pick<StageReport, 'counts'>} in the order of the stages */
  encode () {
    return {
      counts: [...this.packed.values(), ...Array.from(this.open.values(), tally => tally.encode())].sort((a, b) =>
        a.stage - b.stage)
    }
  }
}

module.exports = { StageTallies, Total: StageTallies }
