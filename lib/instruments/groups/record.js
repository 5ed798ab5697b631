'use strict'

// How long the groups of user functions took: parts of an iteration that have a name, from the beginning of the group
// to its end, with its pauses.

const { Counts } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/** A name has a histogram in each thread. Those beyond this many are counted as one. */
const MAX_GROUPS = 100
const OTHERS = 'other groups'

/**
 * @typedef {object} GroupCounts a plain object
 * @property {string} name
 * @property {import('../../record/histogram').Encoded} duration ms of those that were completed
 */

/** @extends {Counts<GroupCounts[]>} */
class Groups extends Counts {
  constructor () {
    super()
    /** In the order in which they were first completed. @type {Map<string, Histogram>} */
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
