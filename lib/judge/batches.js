'use strict'

// Cuts a run into batches of neighbouring points. Requests of one second depend on each other, as they wait for the
// same pause. So the precision of a figure follows from the variance between batches, and not from the number of
// requests (batch means: Law and Carson, "A Sequential Procedure for Determining the Length of a Steady-State
// Simulation", 1979). From 64 batches on, neighbours are joined, so that batches get longer with the run.

const { Condensed } = require('../record/condensed')
const { Histogram } = require('../record/histogram')

const MOST_BATCHES = 64

/**
 * @typedef {object} Batch
 * @property {number} from ms since the figures began
 * @property {number} ms
 * @property {number} responses
 * @property {number} bytes
 * @property {import('../record/histogram').Encoded} latency
 */

class Batches {
  /** @param {number} [confidence] of each end of an interval; that of judge/interval.js when left out */
  constructor (confidence) {
    this.confidence = confidence
    this.elapsed = 0
    /** @type {Condensed<Batch>} */
    this.condensed = new Condensed(MOST_BATCHES, joined)
    this.whole = new Histogram()
  }

  /**
   * @param {Pick<import('../figures/series').Point, 'time' | 'length' | 'requests' | 'bytes'>} point
   * @param {Histogram | null} latency of the requests that ended in it
   */
  add ({ time, length, requests, bytes }, latency) {
    // A point is as long as in the slowest generator, so lengths add up to more than the elapsed time.
    const from = this.elapsed
    const ms = time + length - from
    this.elapsed += ms
    if (latency !== null) this.whole.add(latency)
    this.condensed.add({ from, ms, responses: requests, bytes, latency: (latency ?? NOTHING).encode() })
  }

  get batches () {
    return this.condensed.list
  }

  /** @returns {Batch[]} without the last one while it is shorter than the others */
  get complete () {
    return this.condensed.complete
  }

  /** @returns {boolean} whether the run may end; subclasses decide it */
  look () {
    return false
  }

  /** @returns {{ until?: { metric: string, width: number | null, target: number } }} its part of a tick */
  get known () {
    return {}
  }
}

const NOTHING = new Histogram()

/**
 * @param {Batch} a
 * @param {Batch} b the next in time
 * @returns {Batch} both together
 */
function joined (a, b) {
  const latency = new Histogram()
  latency.addEncoded(a.latency)
  latency.addEncoded(b.latency)
  return {
    from: a.from, ms: a.ms + b.ms, responses: a.responses + b.responses,
    bytes: a.bytes + b.bytes, latency: latency.encode()
  }
}

/**
 * @param {number} bucket
 * @param {import('../record/histogram').Encoded} latency
 * @returns {number} how many of the values are in higher buckets
 */
function countAbove (bucket, { buckets }) {
  let count = 0
  for (let i = buckets.length - 2; i >= 0 && buckets[i] > bucket; i -= 2) count += buckets[i + 1]
  return count
}

module.exports = { Batches, countAbove }
