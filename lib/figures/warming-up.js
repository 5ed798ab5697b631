'use strict'

// Finds a slow start of a run, as of a server that has to warm up, and the figures without it.
//
// MSER (K. P. White, "An Effective Truncation Heuristic for Bias Reduction in Simulation Output", Simulation 69, 1997)
// finds the point from which on the standard error of the mean is lowest. It always finds one, so the start has to meet
// more conditions. It ends where points are as fast as later ones. It is far slower than the later variation. And its
// median is slower, too, which excludes a stall of a part of a second. A start in which more requests failed is not
// reported, because excluding it would exclude the failures. test/figures/warming-up.test.js simulates how often this
// is wrong.

const { mean, squaresOf, sum, sumOf } = require('../core/statistics')
const { round } = require('../core/units')

/** The variation of fewer points is unknown. */
const LEAST = 10
/** The greatest number of batches. Further points are taken together. */
const MOST = 40
/** A start is slower by this number of deviations of the rest. */
const FAR = 6
/** A point belongs to the start if it is slower than later ones by more than this number of their deviations, */
const STEADY = 2
/** and by more than this share of the difference of the first point. */
const PART = 0.1
/** More failures by this number of deviations are no chance. */
const CHANCE = 2
/** The least effect on the mean that is reported, relative. */
const CHANGE = 0.01

/** @typedef {import('./series').Point} Point */

/**
 * @param {Point[]} points of a series
 * @param {boolean} paced with a rate, requests per second are fixed: the median latency decides then
 * @returns {{ seconds: number, requestsPerSecond: number } | { seconds: number, average: number } | null} the length of
 *   the start, and the figure without it: requests per second, or with a rate the mean latency, ms; null without a slow
 *   start
 */
function warmingUpOf (points, paced) {
  if (points.length < LEAST) return null
  const width = Math.ceil(points.length / MOST)
  const batches = batchesOf(points, width)
  const medians = batches.map(medianOf)
  if (paced && medians.includes(null)) return null
  const speeds = paced ? medians.map(median => -(median ?? 0)) : batches.map(rateOf)
  const slow = slowStartOf(speeds)
  if (slow === 0 || (!paced && !isSlower(medians, slow))) return null
  const [start, rest] = [batches.slice(0, slow).flat(), points.slice(slow * width)]
  if (failsMore(start, rest)) return null
  const seconds = round(sumOf(start, ({ length }) => length) / 1000)
  const figure = paced ? averageOf : rateOf
  const [all, without] = [figure(points), figure(rest)]
  if (Math.abs(without - all) < CHANGE * all) return null
  return paced ? { seconds, average: round(without) } : { seconds, requestsPerSecond: round(without) }
}

/**
 * @param {Point[]} points
 * @param {number} width the points of a batch
 * @returns {Point[][]} without an incomplete last one
 */
function batchesOf (points, width) {
  return Array.from({ length: Math.floor(points.length / width) }, (_, i) => points.slice(i * width, (i + 1) * width))
}

/** @param {Point[]} points */
function rateOf (points) {
  const length = sumOf(points, point => point.length)
  return length === 0 ? 0 : sumOf(points, ({ requests }) => requests) / length * 1000
}

/**
 * @param {Point[]} start
 * @param {Point[]} rest
 * @returns {boolean} whether a larger share of the start failed, by more than Poisson chance
 */
function failsMore (start, rest) {
  /** @type {Array<(points: Point[]) => number>} */
  const [failed, ended] = [
    points => sumOf(points, ({ failures }) => failures),
    points => sumOf(points, ({ requests, errors }) => requests + errors)
  ]
  const expected = ended(rest) === 0 ? 0 : failed(rest) / ended(rest) * ended(start)
  return failed(start) > expected + CHANCE * Math.sqrt(expected)
}

/** @param {Point[]} points */
function averageOf (points) {
  return weighted(points, 'average') ?? 0
}

/** @param {Point[]} points */
function medianOf (points) {
  return weighted(points, 'p50')
}

/**
 * @param {Point[]} points
 * @param {'average' | 'p50'} key
 * @returns {number | null} their mean, weighted by requests; null without a response
 */
function weighted (points, key) {
  const withResponses = points.filter(point => point[key] !== null)
  if (withResponses.length === 0) return null
  const weights = withResponses.map(({ requests, errors }) => requests + errors || 1)
  return sumOf(withResponses, (point, i) => Number(point[key]) * weights[i]) / sum(weights)
}

/**
 * @param {number[]} speeds higher is better
 * @returns {number} the number of first batches that are the slow start
 */
function slowStartOf (speeds) {
  const cut = steadyFrom(speeds)
  const steady = speeds.slice(cut)
  const least = mean(steady) - Math.max(STEADY * deviation(steady), PART * (mean(steady) - speeds[0]))
  let slow = 0
  while (slow < cut && speeds[slow] < least) slow++
  if (slow === 0) return 0
  const rest = speeds.slice(slow)
  return mean(rest) - mean(speeds.slice(0, slow)) > FAR * deviation(rest) ? slow : 0
}

/**
 * @param {number[]} values
 * @returns {number} the index in the first half from which on the standard error of the mean is lowest
 */
function steadyFrom (values) {
  const errors = Array.from({ length: Math.floor(values.length / 2) + 1 }, (_, cut) => {
    const rest = values.slice(cut)
    return deviation(rest) ** 2 / rest.length
  })
  return errors.indexOf(Math.min(...errors))
}

/**
 * @param {Array<number | null>} medians
 * @param {number} slow the number of first batches
 * @returns {boolean} whether their medians are clearly higher than those of the rest; also if they have no response
 */
function isSlower (medians, slow) {
  const [first, rest] = [medians.slice(0, slow), medians.slice(slow)].map(part =>
    part.filter(median => median !== null))
  return first.length === 0 || rest.length === 0 || mean(first) > mean(rest) + STEADY * deviation(rest)
}

/** @param {number[]} values at least one */
function deviation (values) {
  return Math.sqrt(squaresOf(values) / Math.max(1, values.length - 1))
}

module.exports = { warmingUpOf }
