'use strict'

// The histograms of a run, all in ms.

const { Histogram } = require('./histogram')

/**
 * latency: from the due time (with a rate) or the write of a request to its last byte · serviceTime: from its write ·
 * ttfb: from its write to the first byte of the response · connect: DNS, TCP and TLS of a connection · lag: with a
 * rate, the generator's delay of a request with room · late: the time of responses in the kernel until they were read
 */
const NAMES = /** @type {const} */ (['latency', 'serviceTime', 'ttfb', 'connect', 'lag', 'late'])

/**
 * @typedef {Record<typeof NAMES[number], import('./histogram').Encoded>} EncodedDistributions a plain object, for other
 *   threads and machines
 */

class Distributions {
  constructor () {
    this.latency = new Histogram()
    this.serviceTime = new Histogram()
    this.ttfb = new Histogram()
    this.connect = new Histogram()
    this.lag = new Histogram()
    this.late = new Histogram()
  }

  /** @param {Distributions | EncodedDistributions} other */
  add (other) {
    // Raw results of older versions lack the last histogram.
    for (const name of NAMES) if (other[name] !== undefined) this[name].add(other[name])
  }

  reset () {
    for (const name of NAMES) this[name].reset()
  }

  /** @returns {EncodedDistributions} */
  encode () {
    const { connect, lag, late } = this
    const latency = this.latency.encode()
    const serviceTime = this.serviceTime.encode(latency)
    const ttfb = this.ttfb.encode(serviceTime)
    return { latency, serviceTime, ttfb, connect: connect.encode(), lag: lag.encode(), late: late.encode() }
  }
}

module.exports = { Distributions }
