'use strict'

// The distributions of the current interval. Two alternate, so that the reported one stays unchanged until the next
// report. Also the mean and the maximum of all latencies so far.

const { Distributions } = require('./distributions')
const { Histogram } = require('./histogram')

class LiveDistributions {
  constructor () {
    this.current = new Distributions()
    this.spare = new Distributions()
    // For most responses latency, service time and time to first byte are equal: the request was written when it was
    // due, and the response arrived in one piece. The value is recorded once, and added to all three at the report.
    this.common = new Histogram()
    // Sums of the latencies reported so far. −0: see Recorder.
    this.count = 0
    this.sum = -0
    this.max = -0
  }

  /**
   * @param {number} ms latency
   * @param {number} serviceMs service time
   * @param {number} ttfb ms
   */
  record (ms, serviceMs, ttfb) {
    if (ms === serviceMs && serviceMs === ttfb) {
      this.common.record(ms)
    } else {
      this.current.latency.record(ms)
      this.current.serviceTime.record(serviceMs)
      this.current.ttfb.record(ttfb)
    }
  }

  /** @returns {number} the mean latency, ms; 0 without any */
  get mean () {
    const { common, current: { latency } } = this
    const count = this.count + latency.count + common.count
    return count === 0 ? 0 : (this.sum + (latency.sum + common.sum) / 1000) / count
  }

  /** @returns {number} the longest latency, ms; 0 without any */
  get longest () {
    return Math.max(this.max, this.current.latency.max, this.common.max) / 1000
  }

  /** @returns {Distributions} the values since the last call; unchanged until the next call */
  take () {
    const { current, common } = this
    for (const histogram of [current.latency, current.serviceTime, current.ttfb]) histogram.add(common)
    common.reset()
    this.count += current.latency.count
    this.sum += current.latency.sum / 1000
    this.max = Math.max(this.max, current.latency.max)
    this.current = this.spare
    this.current.reset()
    this.spare = current
    return current
  }

  skip () {
    this.take()
    this.count = 0
    this.sum = 0
    this.max = 0
  }
}

module.exports = { LiveDistributions }
