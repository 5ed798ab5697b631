'use strict'

// The bytes of several requests in a row, for one write.

/** Requests that are written at once are joined in memory up to this many bytes. */
const MAX_JOINED = 1024 * 1024

/**
 * Every run of requests that one write may need is a view of one buffer in which the requests are already repeated: a
 * write costs no copy. Connections share it.
 */
class Batch {
  /** @param {Buffer[]} requests the bytes of each @param {number} pipelining */
  constructor (requests, pipelining) {
    this.requests = requests
    const count = requests.length
    const once = requests.reduce((sum, { length }) => sum + length, 0)
    let run = 1
    let size = once
    // One more request in a run is one more after the first pass.
    while (run < pipelining && size + requests[(run - 1) % count].length <= Math.max(MAX_JOINED, once)) {
      size += requests[(run - 1) % count].length
      run++
    }
    /** How many requests one write may hold. */
    this.maxRun = run
    /** @type {Buffer | null} */
    this.joined = null
    /** @type {number[]} */
    this.offsets = []
    /** @type {Buffer[]} views by first request and length of the run */
    this.views = []
  }

  /**
   * @param {number} first index of a request
   * @param {number} run how many requests, at most `maxRun`
   * @returns {Buffer} their bytes
   */
  view (first, run) {
    if (run === 1) return this.requests[first]
    const key = first * (this.maxRun + 1) + run
    const view = this.views[key]
    return view === undefined ? (this.views[key] = this.makeView(first, run)) : view
  }

  /** @type {(first: number, run: number) => Buffer} */
  makeView (first, run) {
    const { requests, offsets } = this
    if (this.joined === null) {
      const repeated = Array.from(
        { length: requests.length + this.maxRun - 1 }, (_, i) => requests[i % requests.length]
      )
      offsets.push(0)
      for (const bytes of repeated) offsets.push(offsets[offsets.length - 1] + bytes.length)
      this.joined = Buffer.concat(repeated)
    }
    return this.joined.subarray(offsets[first], offsets[first + run])
  }
}

module.exports = { Batch }
