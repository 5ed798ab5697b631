'use strict'

// Owns a request that has been compiled once and is sent many times, and the bytes of several in a row.

const { serialize } = require('./serialize')

/** Requests that are written at once are joined in memory up to this many bytes. */
const MAX_JOINED = 1024 * 1024

/**
 * @typedef {object} Template
 * @property {string} method decides whether the answer has a body
 * @property {Buffer} bytes
 */

/**
 * @param {import('./request').Request} request
 * @param {import('./target').Target} target
 * @returns {Template}
 */
function compile (request, target) {
  return { method: request.method, bytes: serialize(request, target) }
}

/**
 * The templates of a sequence, and every run of them that one write may need as a view of one buffer in which the
 * sequence is already repeated: a write costs no copy. Connections share it.
 */
class Batch {
  /**
   * @param {Template[]} templates
   * @param {number} pipelining
   */
  constructor (templates, pipelining) {
    this.templates = templates
    const count = templates.length
    const once = templates.reduce((sum, { bytes }) => sum + bytes.length, 0)
    let run = 1
    let size = once
    // One more in a run is one more behind the first round.
    while (run < pipelining && size + templates[(run - 1) % count].bytes.length <= Math.max(MAX_JOINED, once)) {
      size += templates[(run - 1) % count].bytes.length
      run++
    }
    /** How many requests one write may hold. */
    this.maxRun = run
    /** @type {Buffer | null} */
    this.joined = null
    /** @type {number[]} */
    this.offsets = []
    /** @type {Buffer[]} views by first template and length of the run */
    this.views = []
  }

  /**
   * @param {number} first index of a template
   * @param {number} run how many requests, at most `maxRun`
   * @returns {Buffer} their bytes
   */
  view (first, run) {
    if (run === 1) return this.templates[first].bytes
    const key = first * (this.maxRun + 1) + run
    const view = this.views[key]
    return view === undefined ? (this.views[key] = this.makeView(first, run)) : view
  }

  /**
   * @param {number} first
   * @param {number} run
   */
  makeView (first, run) {
    const { templates, offsets } = this
    if (this.joined === null) {
      const repeated = Array.from({ length: templates.length + this.maxRun - 1 }, (_, i) => templates[i % templates.length].bytes)
      offsets.push(0)
      for (const bytes of repeated) offsets.push(offsets[offsets.length - 1] + bytes.length)
      this.joined = Buffer.concat(repeated)
    }
    return this.joined.subarray(offsets[first], offsets[first + run])
  }
}

module.exports = { compile, Batch }
