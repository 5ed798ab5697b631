'use strict'

// Owns the events of streams in each point of the series, and in several of them together.

const { round } = require('../../core/units')
const { Histogram } = require('../../record/histogram')
const { quantilesOf, quantilesTogether } = require('../../record/quantiles')

/**
 * @typedef {import('../../record/quantiles').Quantiles} Quantiles
 *
 * @typedef {object} StreamsPoint
 * @property {number} events that arrived
 * @property {number} stalls
 * @property {Quantiles | null} firstEvent null where no stream had its first event
 * @property {Quantiles | null} gap null where no event followed another one
 *
 * @typedef {{ events: number, stalls: number, firstEvent: Histogram, gap: Histogram }} Open
 */

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

/**
 * @param {Array<{ point: { streams?: StreamsPoint }, part: number }>} parts which share of each
 * @returns {{ streams?: StreamsPoint }} nothing where no streams were measured
 */
function together (parts) {
  const known = parts.flatMap(({ point: { streams }, part }) => streams === undefined ? [] : [{ streams, part }])
  if (known.length === 0) return {}
  /** @param {'events' | 'stalls'} key */
  const total = key => round(known.reduce((sum, { streams, part }) => sum + streams[key] * part, 0))
  /** @param {typeof TIMES[number]} time */
  const quantiles = time =>
    quantilesTogether(known.map(({ streams, part }) => ({ one: streams[time], part, otherwise: streams.events })))
  return {
    streams: {
      events: total('events'), stalls: total('stalls'), firstEvent: quantiles('firstEvent'), gap: quantiles('gap')
    }
  }
}

module.exports = { Course, together }
