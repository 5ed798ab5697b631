'use strict'

// The exemplars of a whole run, the slowest and the first failed requests, from those of its load generators. Each
// generator keeps the full number, so the slowest of all are among them.

const { KEPT, ExemplarSelection } = require('./selection')

/**
 * @typedef {object} Exemplar one request, a plain object
 * @property {number} time of its write, ms since the figures began; negative if it was in flight then
 * @property {string | null} name of its statistics
 * @property {string} request method and path, as sent
 * @property {number} connection the number of the connection in the run
 * @property {number | null} connect ms to open the connection; null if the connection had delivered a response before
 * @property {number} waited ms from its due time to its write
 * @property {number | null} firstByte ms from its write to the first byte of its response; null without a response
 * @property {number} total its latency, ms
 * @property {number | null} status null without a response
 * @property {number} size bytes of the response
 * @property {string | null} error the code of its error; `check` or `body` if its response was wrong
 * @property {Trace} [trace] left out without one
 *
 * @typedef {object} Trace the content of its header `traceparent`
 * @property {string} id of the trace
 * @property {string} parent id of the request's span
 * @property {boolean} sampled
 *
 * @typedef {object} ExemplarsReport
 * @property {Exemplar[]} slowest
 * @property {Exemplar[]} failures
 */

class Exemplars {
  constructor () {
    /** The slowest first. @type {Exemplar[]} */
    this.slowest = []
    /** In the order in which they failed. @type {Exemplar[]} */
    this.failures = []
  }

  /** @param {ExemplarsReport} report */
  add ({ slowest, failures }) {
    this.slowest = firstOf([...this.slowest, ...slowest], (one, other) =>
      other.total - one.total || one.time - other.time || one.connection - other.connection)
    this.failures = firstOf([...this.failures, ...failures], (one, other) =>
      endOf(one) - endOf(other) || one.connection - other.connection)
  }

  /** @returns {ExemplarsReport} */
  encode () {
    return { slowest: this.slowest, failures: this.failures }
  }
}

/** @param {Exemplar} exemplar */
function endOf ({ time, waited, total }) {
  return time - waited + total
}

/** @param {Exemplar[]} all @param {(one: Exemplar, other: Exemplar) => number} compare */
function firstOf (all, compare) {
  return all.sort(compare).slice(0, KEPT)
}

module.exports = { Exemplars, Live: ExemplarSelection, Total: Exemplars }
