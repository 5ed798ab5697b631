'use strict'

// Whether a run is long enough to estimate the variance of a figure. Three things hide most of the variance from a
// short run: a slow swing of which there were only a few periods, one burst where more will follow, and a mean that
// depends on a few values (a tail without a variance).

const { sum, sumOf } = require('../core/statistics')
const { highestOf } = require('../record/buckets')
const { correlationOf, residualsOf, isMoreThanChance } = require('./correlation')

/** How often a figure has to cross its mean: five periods of the slowest swing. */
const LEAST_CROSSINGS = 10
/** A crossing counts only from this number of deviations on one side to as many on the other: less is chance. */
const FAR = 0.5
/** One batch with more than this share of the variance is a burst. */
const MOST_OF_ONE = 0.4
/** How many of the highest values may have at most which share of the variance. */
const FEW = 3
const MOST_OF_FEW = 0.25
/** The shares of values that are examined as a tail, their least number, and the Pareto exponent without a variance. */
const TAILS = [0.01, 0.001]
const LEAST_IN_TAIL = 20
const HEAVY = 1.8
/** Standard errors that are subtracted from the estimated exponent. */
const LIGHTER = 2

/**
 * @typedef {'burst' | 'slowSwing' | 'fewRequests' | 'heavyTail'} Hindrance why the precision of a figure is unknown, as
 *   in a result
 */

/**
 * @param {number[]} of by batch: the dividend
 * @param {number[]} per the divisor
 * @param {import('../record/histogram').Histogram | null} latency of a mean; null of any other figure
 * @returns {Hindrance | null}
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
 * @returns {Hindrance | null} a slow swing of another figure of the same batches, in which chance hides less of it
 */
function slowSwingOf (of, per) {
  const rest = residualsOf(of, per)
  return rest.some(one => one !== 0) && isSlow(rest) ? 'slowSwing' : null
}

/**
 * @param {number[]} rest the residual of each batch; not all of them 0
 * @returns {boolean} whether it crossed the mean too few times
 */
function isSlow (rest) {
  return crossingsOf(rest, 0) < LEAST_CROSSINGS || swingsSlowly(rest)
}

/**
 * @param {number[]} rest likewise
 * @returns {boolean} whether neighbours are correlated, and it went from far below to far above the mean too few times
 */
function swingsSlowly (rest) {
  return isMoreThanChance(correlationOf(rest), rest.length) &&
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
 * @returns {boolean} whether the few highest values have too much of the variance
 */
function isOfFew (latency) {
  const { mean, stddev } = latency.summary()
  const squares = sumOf(highest(latency, FEW), value => (value - mean) ** 2)
  return squares > MOST_OF_FEW * stddev ** 2 * latency.count
}

/**
 * @param {import('../record/histogram').Histogram} latency
 * @returns {boolean} whether both the highest 1 % and the highest 0.1 % are a tail without a variance. A second mode
 *   looks like a tail in one of them only (Hill, "A Simple General Approach to Inference About the Tail of a
 *   Distribution", 1975; the standard error is the exponent ÷ √n)
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

module.exports = { hindranceOf, slowSwingOf, swingsSlowly }
