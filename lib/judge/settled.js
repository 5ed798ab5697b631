'use strict'

// Whether a run is long enough to estimate the variance of a figure. Three things hide most of the variance from a
// short run: a swing with fewer than a few periods, one burst where more will follow, and a mean that a few values
// decide (a tail without a variance).

const { sum, sumOf } = require('../core/statistics')
const { highestOf } = require('../record/buckets')
const { alikeOf, residualsOf, showsIn } = require('./likeness')

/** So often has a figure to cross its mean: five periods of the slowest swing that shows. */
const LEAST_CROSSINGS = 10
/** A side of the mean counts from this number of deviations on: near it, chance crosses it. */
const FAR = 0.5
/** One batch with more than this part of the variance is a burst. */
const MOST_OF_ONE = 0.4
/** Values, and how much of the variance they may have. */
const FEW = 3
const MOST_OF_FEW = 0.25
/**
 * The parts of the values that are its tail, how many at least, and the exponent of Pareto below which it has no
 * variance.
 */
const TAILS = [0.01, 0.001]
const LEAST_IN_TAIL = 20
const HEAVY = 1.8
/** Standard errors by which an exponent may look higher than it is. */
const LIGHTER = 2

/**
 * @typedef {'burst' | 'slowSwing' | 'fewRequests' | 'heavyTail'} Hindrance prevents the precision of a figure; as in a
 *   result (report/until.js)
 */

/**
 * @param {number[]} of by batch: the dividend
 * @param {number[]} per the divisor
 * @param {import('../record/histogram').Histogram | null} latency of a mean; null of any other figure
 * @returns {Hindrance | null} the hindrance; null for none
 */
function hindranceOf (of, per, latency) {
  const rest = residualsOf(of, per)
  const squares = rest.map(one => one ** 2)
  const all = sum(squares)
  if (all === 0) return null
  if (Math.max(...squares) > MOST_OF_ONE * all) return 'burst'
  if (isSlow(rest)) return 'slowSwing'
  if (latency === null) return null
  return isOfFew(latency) ? 'fewRequests' : isHeavy(latency) ? 'heavyTail' : null
}

/**
 * @param {number[]} of
 * @param {number[]} per
 * @returns {Hindrance | null} that another figure of the same batches swings slowly: it may show where chance hides
 *   less of it
 */
function swingOf (of, per) {
  const rest = residualsOf(of, per)
  return rest.some(one => one !== 0) && isSlow(rest) ? 'slowSwing' : null
}

/**
 * @param {number[]} rest of each batch without the mean; not all of them 0
 * @returns {boolean} whether it crossed the mean too few times
 */
function isSlow (rest) {
  return crossingsOf(rest, 0) < LEAST_CROSSINGS || swingsSlowly(rest)
}

/**
 * @param {number[]} rest of each batch without the mean; not all of them 0
 * @returns {boolean} whether neighbours are alike, and it went from far on one side to far on the other too few times
 */
function swingsSlowly (rest) {
  return showsIn(alikeOf(rest), rest.length) &&
    crossingsOf(rest, FAR * Math.sqrt(sumOf(rest, one => one ** 2) / rest.length)) < LEAST_CROSSINGS
}

/**
 * @param {number[]} rest
 * @param {number} from how far from the mean a batch counts
 * @returns {number} how often it went from one side to the other
 */
function crossingsOf (rest, from) {
  const sides = rest.filter(one => one !== 0 && Math.abs(one) >= from).map(Math.sign)
  return sides.filter((side, i) => i > 0 && side !== sides[i - 1]).length
}

/**
 * @param {import('../record/histogram').Histogram} latency
 * @returns {boolean} whether the highest values make that much of the variance
 */
function isOfFew (latency) {
  const { mean, stddev } = latency.summary()
  const squares = sumOf(highest(latency, FEW), value => (value - mean) ** 2)
  return squares > MOST_OF_FEW * stddev ** 2 * latency.count
}

/**
 * @param {import('../record/histogram').Histogram} latency
 * @returns {boolean} whether its tail goes on as one without a variance does, from the highest 1 % on and from the
 *   highest 0.1 % on: a second mode is a tail in one of them only (Hill, "A Simple General Approach to Inference About
 *   the Tail of a Distribution", 1975; its error is the exponent by √n)
 */
function isHeavy (latency) {
  return TAILS.every(share => {
    const tail = highest(latency, Math.max(LEAST_IN_TAIL, Math.round(share * latency.count)))
    const least = Number(tail.at(-1))
    const excess = sumOf(tail, value => Math.log(value / least))
    const exponent = tail.length / excess
    return excess > 0 && exponent * (1 - LIGHTER / Math.sqrt(tail.length)) < HEAVY
  })
}

/**
 * @param {import('../record/histogram').Histogram} latency
 * @param {number} n
 * @returns {number[]} n of the highest values, ms, the highest first
 */
function highest (latency, n) {
  const [from, to] = latency.span
  const values = []
  for (let bucket = to - 1; bucket >= from && values.length < n; bucket--) {
    const value = Math.min(highestOf(bucket), latency.max) / 1000
    for (let i = 0; i < latency.counts[bucket] && values.length < n; i++) values.push(value)
  }
  return values
}

module.exports = { hindranceOf, swingOf, swingsSlowly }
