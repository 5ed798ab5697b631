'use strict'

// The events of streams and the tokens of completions, in each point of the series and in merged points.

const { sumOf } = require('../../core/statistics')
const { round } = require('../../core/units')
const { TimesInPoints, quantilesTogether } = require('../../record/quantiles')
const tokens = require('../tokens/point')

/**
 * @typedef {import('../../record/quantiles').Quantiles} Quantiles
 *
 * @typedef {object} Events
 * @property {number} events that arrived
 * @property {number} stalls
 * @property {Quantiles | null} firstEvent null if no stream had its first event
 * @property {Quantiles | null} gap null if no event followed another one
 *
 * @typedef {Events & Partial<import('../tokens/point').TokensPoint>} StreamsPoint
 */

const TIMES = /** @type {const} */ (['firstEvent', 'gap'])

class Course {
  constructor () {
    /** @type {Map<number, { events: number, stalls: number }>} by the index of the point */
    this.open = new Map()
    this.times = new TimesInPoints(TIMES)
    this.tokens = new tokens.Course()
    this.isMeasured = false
  }

  /**
   * @param {number} index of the point
   * @param {Parameters<tokens.Course['add']>[1] & { streams?: import('./record').StreamsReport | null }} snapshot
   */
  add (index, snapshot) {
    const { streams } = snapshot
    if (streams === undefined || streams === null) return
    this.isMeasured = true
    const { events, stalls } = this.open.get(index) ?? { events: 0, stalls: 0 }
    this.open.set(index, { events: events + streams.events, stalls: stalls + streams.stalls })
    this.times.add(index, streams)
    this.tokens.add(index, snapshot)
  }

  /**
   * @param {unknown} _
   * @param {unknown} figures
   * @param {number} index of the next point
   * @returns {{ streams?: StreamsPoint }}
   */
  next (_, figures, index) {
    if (!this.isMeasured) return {}
    const counts = this.open.get(index) ?? { events: 0, stalls: 0 }
    this.open.delete(index)
    return { streams: { ...counts, ...this.times.close(index), ...this.tokens.next(index) } }
  }
}

/**
 * @param {Array<{ point: { streams?: StreamsPoint }, part: number }>} parts `part`: the share of the point that counts
 * @returns {{ streams?: StreamsPoint }} nothing if no streams were measured
 */
function together (parts) {
  const known = parts.flatMap(({ point: { streams }, part }) => streams === undefined ? [] : [{ streams, part }])
  if (known.length === 0) return {}
  /** @param {'events' | 'stalls'} key */
  const total = key => round(sumOf(known, ({ streams, part }) => streams[key] * part))
  /** @param {typeof TIMES[number]} time */
  const quantiles = time =>
    quantilesTogether(known.map(({ streams, part }) => ({ one: streams[time], part, otherwise: streams.events })))
  return {
    streams: {
      events: total('events'),
      stalls: total('stalls'),
      firstEvent: quantiles('firstEvent'),
      gap: quantiles('gap'),
      ...tokens.together(known)
    }
  }
}

module.exports = { Course, together }
