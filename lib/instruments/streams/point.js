'use strict'

// Owns the events of streams in each point of the series, and in several of them together.

const { round } = require('../../core/units')
const { addedUp, coarse, weightOf } = require('../../record/coarse')
const { Histogram } = require('../../record/histogram')

/**
 * @typedef {object} Quantiles ms
 * @property {number} p50
 * @property {number} p95
 * @property {number} p99
 * @property {number} max
 * @property {import('../../record/coarse').Coarse} [buckets] left out in results of older versions
 *
 * @typedef {object} StreamsPoint
 * @property {number} events that arrived
 * @property {number} stalls
 * @property {Quantiles | null} firstEvent null where no stream had its first event
 * @property {Quantiles | null} gap null where no event followed another one
 *
 * @typedef {{ events: number, stalls: number, firstEvent: Histogram, gap: Histogram }} Open
 */

const MEANS = /** @type {const} */ (['p50', 'p95', 'p99'])
const TIMES = /** @type {const} */ (['firstEvent', 'gap'])

/** The events of one point of the series after the other. */
class Course {
  constructor () {
    /** @type {Map<number, Open>} by the index of the point */
    this.open = new Map()
    /** @type {Open[]} */
    this.spare = []
    /** Whether the run measures streams. */
    this.isMeasured = false
  }

  /**
   * @param {number} index of the point
   * @param {{ streams?: import('./record').StreamsReport | null }} snapshot
   */
  add (index, { streams }) {
    if (streams === undefined || streams === null) return
    this.isMeasured = true
    let open = this.open.get(index)
    if (open === undefined) {
      open = this.spare.pop() ?? { events: 0, stalls: 0, firstEvent: new Histogram(), gap: new Histogram() }
      this.open.set(index, open)
    }
    open.events += streams.events
    open.stalls += streams.stalls
    for (const time of TIMES) open[time].add(streams[time])
  }

  /**
   * @param {unknown} _
   * @param {unknown} figures
   * @param {number} index of the next point
   * @returns {{ streams?: StreamsPoint }}
   */
  next (_, figures, index) {
    if (!this.isMeasured) return {}
    const open = this.open.get(index)
    if (open === undefined) return { streams: { events: 0, stalls: 0, firstEvent: null, gap: null } }
    const { events, stalls, firstEvent, gap } = open
    const streams = { events, stalls, firstEvent: quantilesOf(firstEvent), gap: quantilesOf(gap) }
    this.open.delete(index)
    for (const time of TIMES) open[time].reset()
    open.events = open.stalls = 0
    this.spare.push(open)
    return { streams }
  }
}

/** @type {(histogram: Histogram) => Quantiles | null} */
function quantilesOf (histogram) {
  if (histogram.count === 0) return null
  const [p50, p95, p99] = [50, 95, 99].map(p => round(histogram.percentile(p)))
  return { p50, p95, p99, max: round(histogram.max / 1000), buckets: coarse(histogram) }
}

/**
 * Percentiles can't be added: their mean by number of values lies between the least and the greatest, as the true one.
 * @param {Array<{ point: { streams?: StreamsPoint }, part: number }>} parts which share of each
 * @returns {{ streams?: StreamsPoint }} nothing where no streams were measured
 */
function together (parts) {
  const known = parts.flatMap(({ point: { streams }, part }) => streams === undefined ? [] : [{ streams, part }])
  if (known.length === 0) return {}
  /** @param {'events' | 'stalls'} key */
  const total = key => round(known.reduce((sum, { streams, part }) => sum + streams[key] * part, 0))
  /** @param {typeof TIMES[number]} time @returns {Quantiles | null} */
  const quantiles = time => {
    const timed = known.flatMap(({ streams, part }) => {
      const one = streams[time]
      return one === null ? [] : [{ one, part, weight: weightOf(one, streams.events) * part }]
    })
    if (timed.length === 0) return null
    const weight = timed.reduce((sum, { weight }) => sum + weight, 0)
    const [p50, p95, p99] = MEANS.map(key =>
      round(timed.reduce((sum, { one, weight }) => sum + one[key] * weight, 0) / (weight || 1)))
    const buckets = addedUp(timed.map(({ one: { buckets = [] }, part }) => ({ buckets, part })))
      .map(([from, count]) => /** @type {[number, number]} */ ([from, round(count)]))
    return {
      p50, p95, p99, max: Math.max(...timed.map(({ one }) => one.max)), ...buckets.length > 0 && { buckets }
    }
  }
  return {
    streams: {
      events: total('events'), stalls: total('stalls'), firstEvent: quantiles('firstEvent'), gap: quantiles('gap')
    }
  }
}

module.exports = { Course, together }
