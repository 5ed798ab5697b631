'use strict'

// Counts of TLS handshakes: their duration, resumed sessions, and the negotiated versions.

const { Counts } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/**
 * @typedef {object} HandshakesReport a plain object
 * @property {import('../../record/histogram').Encoded} latency ms of each handshake that was completed
 * @property {number} resumed how many of them resumed a session
 * @property {Record<string, number>} agreed how many agreed on that: version and cipher with a blank between them
 */

/** @extends {Counts<HandshakesReport>} */
class Handshakes extends Counts {
  constructor () {
    super()
    this.latency = new Histogram()
    this.resumed = 0
    /** @type {Map<string, number>} */
    this.agreed = new Map()
  }

  /** A handshake is done. @param {number} ms @param {boolean} resumed @param {string} agreed */
  count (ms, resumed, agreed) {
    this.latency.record(ms)
    if (resumed) this.resumed++
    this.agreed.set(agreed, (this.agreed.get(agreed) ?? 0) + 1)
  }

  /** @param {HandshakesReport} report */
  add ({ latency, resumed, agreed }) {
    this.latency.addEncoded(latency)
    this.resumed += resumed
    for (const [name, n] of Object.entries(agreed)) this.agreed.set(name, (this.agreed.get(name) ?? 0) + n)
  }

  reset () {
    this.latency.reset()
    this.resumed = 0
    this.agreed.clear()
  }

  /** @returns {HandshakesReport} */
  encode () {
    return { latency: this.latency.encode(), resumed: this.resumed, agreed: Object.fromEntries(this.agreed) }
  }
}

module.exports = { Handshakes, Total: Handshakes }
