'use strict'

// The half-width of the interval of a difference of two servers: from their runs, from pairs of runs, or from the
// samples of one run of each.

const { squaresOf } = require('../../core/statistics')
const { samplingError } = require('../../figures/figures')
const { studentQuantile } = require('../student')

/** The assumed standard deviation between single runs of one server, relative. */
const RUN_TO_RUN = 0.02

/** @typedef {(more?: number) => number} HalfWidth of the interval, with this number of further runs on each side */

/**
 * The run is the unit (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", 2013). Student's distribution is
 * used with Welch's degrees of freedom (1947), or with the pooled variance if a side has fewer than three runs.
 * @param {number[]} base
 * @param {number[]} next
 * @param {[number, number]} floors least standard errors
 * @param {number} confidence
 * @returns {HalfWidth}
 */
function spreadOfRuns (base, next, floors, confidence) {
  const [m, n] = [base.length, next.length]
  const squares = [squaresOf(base), squaresOf(next)]
  const pooled = Math.min(m, n) < 3
  const together = (squares[0] + squares[1]) / (m + n - 2)
  const [one, two] = [pooled ? together : squares[0] / (m - 1), pooled ? together : squares[1] / (n - 1)]
  return (more = 0) => {
    const least = [floors[0] ** 2 * m / (m + more), floors[1] ** 2 * n / (n + more)]
    const errors = [Math.max(one / (m + more), least[0]), Math.max(two / (n + more), least[1])]
    // A floor is not estimated from the few runs, so its degrees of freedom are unlimited.
    const freedoms = [m, n].map((runs, i) =>
      errors[i] > 0 && errors[i] === least[i] ? Infinity : pooled ? m + n + 2 * more - 2 : runs + more - 1)
    const freedom = pooled ? Math.min(...freedoms) : welch(errors, freedoms)
    return quantile(confidence, freedom) * Math.sqrt(errors[0] + errors[1])
  }
}

/** @param {number[]} differences of pairs @param {number} floor @param {number} confidence @returns {HalfWidth} */
function spreadOfPairs (differences, floor, confidence) {
  const n = differences.length
  const variance = squaresOf(differences) / (n - 1)
  const known = floor > 0 && floor ** 2 * n >= variance
  return (more = 0) =>
    quantile(confidence, known ? Infinity : n + more - 1) * Math.sqrt(Math.max(variance, floor ** 2 * n) / (n + more))
}

/**
 * From the samples of a run (bootstrap.js), but at least that of independent requests with its histogram. Samples do
 * not show how much one start of a server differs from the next, so RUN_TO_RUN is added.
 * @param {import('../../figures/metric').Metric} metric
 * @param {Array<{ result: Record<string, any>, error: number, freedom: number }>} sides
 * @param {number} confidence
 */
function halfWidthBySamples (metric, sides, confidence) {
  const errors = sides.map(({ error, result }) => Math.max(error, samplingError(metric, result)) ** 2)
  const within = quantile(confidence, welch(errors, sides.map(({ freedom }) => freedom))) *
    Math.sqrt(errors[0] + errors[1])
  const allowance = metric.unit === 'share' ? 0 : quantile(confidence, Infinity) * Math.SQRT2 * RUN_TO_RUN
  return Math.hypot(within, allowance)
}

/**
 * @param {number[]} variances of two means
 * @param {number[]} freedoms
 * @returns {number} degrees of freedom of the difference (Welch, 1947)
 */
function welch ([one, two], [first, second]) {
  if (!(one + two > 0)) return Math.min(first, second)
  return Math.max(1, (one + two) ** 2 / (one ** 2 / first + two ** 2 / second))
}

/** @param {number} confidence of both sides together @param {number} freedom */
function quantile (confidence, freedom) {
  if (Number.isNaN(freedom)) return NaN
  // Rounded down, which is the safe side.
  const steps = Math.min(4000, Math.floor(freedom * 4))
  return studentQuantile((1 + confidence) / 2, Math.max(1, steps / 4))
}

module.exports = { spreadOfRuns, spreadOfPairs, halfWidthBySamples, RUN_TO_RUN }
