'use strict'

// The durations of the groups of user functions: named parts of an iteration, with the pauses in them.

const { Counts } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/** A name has a histogram of 190 KB in each thread. Further names are counted together. */
const MAX_GROUPS = 100
const OTHERS = 'other groups'

/**
 * @typedef {object} GroupCounts a plain object
 * @property {string} name
 * @property {import('../../record/histogram').Encoded} duration of completed ones, ms
 */

/** @extends {Counts<GroupCounts[]>} */
class Groups extends Counts {
  constructor () {
    super()
    /** By name, in the order of the first completion. @type {Map<string, Histogram>} */
    this.durations = new Map()
  }

  /** @param {string} name */
  of (name) {
    const counted = this.durations.has(name) || this.durations.size < MAX_GROUPS ? name : OTHERS
    let duration = this.durations.get(counted)
    if (duration === undefined) this.durations.set(counted, duration = new Histogram())
    return duration
  }

  /** @type {(name: string, ms: number) => void} */
  record (name, ms) {
    this.of(name).record(ms)
  }

  /** @param {GroupCounts[]} list */
  add (list) {
    for (const { name, duration } of list) this.of(name).addEncoded(duration)
  }

  reset () {
    for (const duration of this.durations.values()) duration.reset()
  }

  /** @returns {GroupCounts[]} */
  encode () {
    return Array.from(this.durations, ([name, duration]) => ({ name, duration: duration.encode() }))
  }
}

module.exports = { Groups, Total: Groups }
