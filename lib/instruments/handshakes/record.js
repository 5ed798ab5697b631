'use strict'

// Counts of TLS handshakes: their duration, resumed sessions, and the negotiated versions.

const { Counts, CountsByKey } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/** @extends {Counts<import('../../record/counts').ReportOf<typeof Handshakes>>} */
class Handshakes extends Counts {
  static FIELDS = /** @type {const} */ (['latency', 'resumed', 'agreed'])

  constructor () {
    super()
    /** Durations of completed handshakes, ms. */
    this.latency = new Histogram()
    /** Handshakes that resumed a session. */
    this.resumed = 0
    /** Handshakes by what was negotiated: version and cipher, with a space between them. */
    this.agreed = new CountsByKey()
  }

  /** @param {number} ms @param {boolean} resumed @param {string} agreed as above */
  count (ms, resumed, agreed) {
    this.latency.record(ms)
    if (resumed) this.resumed++
    this.agreed.count(agreed)
  }
}

module.exports = { Handshakes, Total: Handshakes }
