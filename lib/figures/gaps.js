'use strict'

// Finds stalls of a server during a run. A closed loop sends nothing in a stall: of a hundred thousand responses,
// twenty are late, which no shown percentile reveals.

const { sumOf } = require('../core/statistics')

/** The shortest gap, ms. */
const LEAST = 1000
/** The shortest gap in multiples of the median latency: with few connections, a slow server leaves longer gaps. */
const TIMES = 10
/** From this share of CPU wait or of a blocked event loop on, the load generator caused the gap. */
const OWN = 0.5

/**
 * @typedef {object} Gap
 * @property {number} from ms since the figures began
 * @property {number} to
 * @property {number} longest latency of the requests that waited, ms
 */

/**
 * @param {Record<string, any>} result also of an older version, or of autocannon 9
 * @returns {Gap[]} times without a response or an error, during which a request waited all the time
 */
function gapsOf ({ series = [], latency }) {
  /** @type {Gap[]} */
  const gaps = []
  /** @type {import('./point').Point[]} */
  let empty = []
  let hasResponded = false
  for (const point of series) {
    if (point.requests === 0 && point.errors === 0) {
      empty.push(point)
      continue
    }
    const length = sumOf(empty, ({ length }) => length)
    if (hasResponded && length >= Math.max(LEAST, TIMES * (latency?.p50 ?? 0)) && point.max >= length &&
        !isOwn(empty, length)) {
      gaps.push({ from: empty[0].time, to: empty[0].time + length, longest: point.max })
    }
    empty = []
    hasResponded = true
  }
  return gaps
}

/** @param {import('./point').Point[]} points @param {number} all their length */
function isOwn (points, all) {
  return sumOf(points, ({ length, runDelay, blocked }) => length * Math.max(runDelay ?? 0, blocked ?? 0)) >= OWN * all
}

module.exports = { gapsOf }
