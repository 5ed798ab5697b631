'use strict'

// Counts of TLS handshakes: their duration, resumed sessions, and the negotiated versions.

const { Counts, CountsByKey } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/** @extends {Counts<import('../../record/counts').ReportOf<typeof Handshakes>>} */
class Handshakes extends Counts {
  static FIELDS = /** @type {const} */ (['latency', 'resumed', 'agreed'])

  constructor () {
    super()
    /** Of each handshake that was completed, ms. */
    this.latency = new Histogram()
    /** How many of them resumed a session. */
    this.resumed = 0
    /** How many agreed on that: version and cipher with a blank between them. */
    this.agreed = new CountsByKey()
  }

  /** A handshake is done. @param {number} ms @param {boolean} resumed @param {string} agreed */
  count (ms, resumed, agreed) {
    this.latency.record(ms)
    if (resumed) this.resumed++
    this.agreed.count(agreed)
  }
}

module.exports = { Handshakes, Total: Handshakes }
