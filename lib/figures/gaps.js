'use strict'

// Finds stalls of a server in the middle of a run. A closed loop sends nothing meanwhile: of a hundred thousand
// responses twenty are late, which no shown percentile reveals.

const { sumOf } = require('../core/statistics')

/** The shortest gap that is named, ms, */
const LEAST = 1000
/**
 * and in multiples of the median latency: a server that takes its time leaves gaps between the responses of few
 * connections.
 */
const TIMES = 10
/** A gap is that of the generator when it waited for a core, or was blocked, for this part of it. */
const OWN = 0.5

/**
 * @typedef {object} Gap
 * @property {number} from ms since the figures began
 * @property {number} to
 * @property {number} longest the latency of the requests that waited then, ms
 */

/**
 * @param {Record<string, any>} result also of an older version, or of autocannon 9
 * @returns {Gap[]} times without a response or an error, in which a request waited from the first moment to the last
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
