'use strict'

// The times of streams by stage. They are counted only if the steps of a search are judged by them: each has a
// histogram of 190 KB.

const { Histogram } = require('../../record/histogram')

/** The times by the name of the metric. */
const STAGE_TIMES = Object.freeze(/** @type {const} */ ({
  'first event': 'firstEvent', gap: 'gap', 'first token': 'firstToken', 'inter token': 'interToken',
  'time per output token': 'perToken'
}))

/**
 * @typedef {typeof STAGE_TIMES[keyof typeof STAGE_TIMES]} StageTime
 * @typedef {Partial<Record<StageTime, import('../../record/histogram').Encoded>>} EncodedTimes
 */

const TIMES = Object.freeze(Object.values(STAGE_TIMES))

/** The times of the requests of one stage, whenever their events arrive. */
class StageTimes {
  /** @param {ReadonlyArray<StageTime>} [wanted] */
  constructor (wanted = []) {
    // The fields of StreamTally and TokenTally; null if no threshold needs them.
    /** @type {Histogram | null} */
    this.firstEvent = null
    /** @type {Histogram | null} */
    this.gap = null
    /** @type {Histogram | null} */
    this.firstToken = null
    /** @type {Histogram | null} */
    this.interToken = null
    /** @type {Histogram | null} */
    this.perToken = null
    for (const time of wanted) this[time] = new Histogram()
  }

  /**
   * @param {boolean} isFirst whether they are the first events of their stream
   * @param {number} ms since the last event, or the time to the first
   * @param {number} n events that arrived together
   */
  deliver (isFirst, ms, n) {
    const { firstEvent, gap } = this
    if (!isFirst) gap?.record(ms)
    else firstEvent?.record(ms)
    if (n > 1) gap?.record(0, n - 1)
  }

  get hasCounted () {
    return TIMES.some(time => (this[time]?.count ?? 0) > 0)
  }

  /** @param {EncodedTimes} times */
  add (times) {
    for (const time of TIMES) {
      const encoded = times[time]
      if (encoded !== undefined) (this[time] ??= new Histogram()).addEncoded(encoded)
    }
  }

  reset () {
    for (const time of TIMES) this[time]?.reset()
  }

  /** @returns {EncodedTimes} */
  encode () {
    /** @type {EncodedTimes} */
    const encoded = {}
    for (const time of TIMES) {
      const histogram = this[time]
      if (histogram !== null) encoded[time] = histogram.encode()
    }
    return encoded
  }
}

module.exports = { STAGE_TIMES, TIMES, StageTimes }
