'use strict'

// The shape of a constant rate: requests are due at equal intervals.

const { rateText } = require('./rate')

/**
 * The part of an interval by which a request may be due later than now: without it, a rounding error would delay the
 * request to the next wake-up.
 */
const TOLERANCE = 1e-9

/** The relative error of a quotient of two doubles is below this. */
const ROUNDING = 4 * Number.EPSILON

/**
 * @typedef {import('./pace').Pace} Pace
 * @implements {Pace}
 */
class ConstantPace {
  /**
   * @param {number} rate requests per second
   * @param {number} [end] ms; later due requests are not part of the run
   */
  constructor (rate, end = Infinity) {
    this.interval = 1000 / rate
    this.total = Math.ceil(end / this.interval - TOLERANCE)
  }

  /** @param {number} n */
  dueAt (n) {
    return n * this.interval
  }

  /** @param {number} at */
  dueBy (at) {
    const intervals = at / this.interval
    return Math.max(0, Math.min(this.total, Math.floor(intervals + intervals * ROUNDING + TOLERANCE) + 1))
  }
}

/** @type {import('./shape').Shape & { ConstantPace: typeof ConstantPace }} */
module.exports = {
  ConstantPace,
  option: {
    name: 'rate',
    type: 'rate',
    above: 0,
    max: 1e7,
    arg: 'NUM',
    help: 'Send this number of requests per second in total, over all connections, workers and URLs (open model). ' +
      'Latency counts from the time at which a request was due. 50iterations/s starts 50 iterations of user ' +
      'scenarios per second.',
    example: '--rate 500 -c 50 http://localhost:3000'
  },
  unitOf: ({ unit }) => unit,
  mostOf: ({ number }) => number,
  planned: ({ number }) => ({ rate: number }),
  paceOf: ({ rate, parts }, end) => new ConstantPace(rate * parts, end),
  line: (rate, unit) => `${rateText(rate, unit)} in all`
}
