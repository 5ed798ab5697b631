'use strict'

// The uncertainty of the figures of one run, from its own samples.
//
// Requests of a run are not independent: those of one second wait for the same pause. So seconds are drawn instead of
// requests, and in blocks of neighbours, because a slow second is often followed by another one (Künsch, "The jackknife
// and the bootstrap for general stationary observations", 1989; circular blocks: Politis and Romano, 1992). A
// percentile is drawn as the mean of the percentiles of its seconds, which varies as the percentile of all requests
// does (sectioning: Asmussen and Glynn, "Stochastic Simulation", 2007, III.5). Only the standard error comes from the
// bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, ch. 6), and the interval from Student's
// distribution: with ten seconds, percentiles of the bootstrap would be too narrow.

const { mean, squaresOf, sumOf } = require('../../core/statistics')
const { randomFrom } = require('../../core/random')
const { countedIn, quantilesIn } = require('../../figures/figures')
const { LEAST_CORRELATED, correlationIfKnown } = require('../correlation')

/** More sections do not improve an estimate of the variance (Schmeiser, "Batch size effects", 1982). */
const MOST_SECTIONS = 30
/** The variance of fewer is unknown. */
const LEAST_SECTIONS = 4
const REPLICATES = 400
/** Fixed, so that the same files give the same verdict. */
const SEED = 20_000

/**
 * The sum of neighbouring samples.
 * @typedef {object} Section
 * @property {Record<string, number>} counted the sources of metrics
 * @property {import('../../figures/series').Point[]} points
 */

/**
 * The figures of a run with weighted sections.
 * @typedef {(weights: ArrayLike<number>) => number} Statistic
 */

class RunSamples {
  /** @param {Section[]} sections */
  constructor (sections) {
    this.sections = sections
    /** By the length of their blocks. @type {Map<number, Float64Array[]>} */
    this.draws = new Map()
  }

  /** @returns {boolean} whether there are enough samples to estimate their variance */
  get suffices () {
    return this.sections.length >= LEAST_SECTIONS
  }

  /**
   * @param {import('../../figures/metric').Metric} metric
   * @returns {{ level: number, error: number, freedom: number }} the figure by its sections, and its standard error:
   *   relative, or absolute for a share; NaN if samples do not have the metric
   */
  uncertainty (metric) {
    const statistic = this.statisticOf(metric)
    if (statistic === null || !this.suffices) return { level: NaN, error: NaN, freedom: NaN }
    const correlation = this.correlation(statistic)
    const length = blockLength(this.sections.length, correlation)
    const blocks = this.sections.length / length
    const draws = this.draws.get(length) ?? this.draw(length)
    this.draws.set(length, draws)
    const values = draws.map(statistic).filter(value => !Number.isNaN(value))
    const level = mean(values)
    const deviation = Math.sqrt(squaresOf(values) / values.length)
    // Drawing with replacement shows (b − 1)/b of the variance of b blocks. Blocks ignore the correlation between them.
    // So the error is at least that of a process with the correlation of neighbours (Bayley and Hammersley, 1946).
    const error = Math.max(
      deviation * Math.sqrt(blocks / (blocks - 1)),
      deviationOf(this.each(statistic)) * Math.sqrt((1 + correlation) / (1 - correlation) / this.sections.length)
    )
    // With overlapping blocks, the estimated variance varies by a third less (Meketon and Schmeiser, 1984), as if there
    // were 1.5 times as many blocks.
    return { level, error: metric.unit === 'share' ? error : error / level, freedom: 1.5 * (blocks - 1) }
  }

  /** @returns {number} the length of the longest blocks that were drawn, s */
  get longestBlock () {
    const seconds = sumOf(this.sections, ({ counted }) => counted.seconds) / this.sections.length
    return Math.max(0, ...this.draws.keys()) * seconds
  }

  /** @param {Statistic} statistic @returns {number[]} its value in each section that has one */
  each (statistic) {
    const weights = new Float64Array(this.sections.length)
    return this.sections.map((_, i) => {
      weights.fill(0)
      weights[i] = 1
      return statistic(weights)
    }).filter(value => !Number.isNaN(value))
  }

  /** @param {Statistic} statistic @returns {number} the correlation of neighbours */
  correlation (statistic) {
    const values = this.each(statistic)
    const middle = mean(values)
    return correlationIfKnown(values.map(value => value - middle))
  }

  /**
   * @param {number} length of the blocks
   * @returns {Float64Array[]} how often each section is drawn, for each replicate
   */
  draw (length) {
    const random = randomFrom(SEED)
    const n = this.sections.length
    return Array.from({ length: REPLICATES }, () => {
      const weights = new Float64Array(n)
      for (let drawn = 0; drawn < n;) {
        const first = Math.floor(random() * n)
        for (let i = 0; i < length && drawn < n; i++, drawn++) weights[(first + i) % n]++
      }
      return weights
    })
  }

  /** @param {import('../../figures/metric').Metric} metric @returns {Statistic | null} */
  statisticOf (metric) {
    const { percentile, row } = metric
    /** @param {(section: Section) => number} of @param {(section: Section) => number} per @returns {Statistic} */
    const ratio = (of, per) => {
      const above = this.sections.map(of)
      const below = this.sections.map(per)
      return weights => weightedSum(above, weights) / weightedSum(below, weights)
    }
    /** @param {(quantiles: import('../../figures/figures').Quantiles) => number} figure */
    const time = figure => {
      const sections = new Map(this.sections.map(section =>
        [section, section.points.flatMap(point => quantilesIn(metric, point) ?? [])]))
      const all = (/** @type {Section} */ section) => sections.get(section) ?? []
      return ratio(
        section => sumOf(all(section), quantiles => figure(quantiles) * quantiles.weight),
        section => sumOf(all(section), ({ weight }) => weight))
    }
    if (percentile !== null) return percentile < 50 ? null : time(quantiles => percentileOf(quantiles, percentile))
    if (row.latency === 'average') return row.time === undefined ? time(({ average }) => average ?? NaN) : null
    const { of, per = '' } = row
    // Extremes, rare counts and figures of the server have no samples to draw from.
    return row.compared && of !== undefined ? ratio(({ counted }) => counted[of], ({ counted }) => counted[per]) : null
  }
}

/**
 * @param {number} sections
 * @param {number} correlation the correlation of neighbours
 * @returns {number} the length of a block, so that there are at least three. The best one is of the order n^(1/3)
 *   (Hall, Horowitz and Jing, 1995), times a factor that grows with the correlation (Carlstein, "The Use of Subseries
 *   Values for Estimating the Variance of a General Statistic from a Stationary Sequence", 1986)
 */
function blockLength (sections, correlation) {
  if (sections < LEAST_CORRELATED) return 1
  const factor = Math.max(1, (Math.sqrt(6) * correlation / (1 - correlation ** 2)) ** (2 / 3))
  return Math.min(Math.floor(sections / 3), Math.round(Math.cbrt(sections) * factor))
}

/** @param {number[]} values */
function deviationOf (values) {
  return Math.sqrt(squaresOf(values) / (values.length - 1))
}

/** @param {number[]} values @param {ArrayLike<number>} weights */
function weightedSum (values, weights) {
  return sumOf(values, (value, i) => value * weights[i])
}

/** The percentiles that a point of the series has. */
const KNOWN = /** @type {const} */ ([[50, 'p50'], [95, 'p95'], [99, 'p99'], [100, 'max']])

/**
 * @param {import('../../figures/figures').Quantiles} point
 * @param {number} percentile at least 50
 * @returns {number} ms, interpolated between known percentiles as in the tail of an exponential distribution
 */
function percentileOf (point, percentile) {
  const upper = KNOWN.findIndex(([known]) => known >= percentile)
  const [above, high] = KNOWN[upper]
  if (above === percentile) return point[high] ?? NaN
  const [below, low] = KNOWN[upper - 1]
  const depth = (/** @type {number} */ of) => -Math.log(1.001 - of / 100)
  const part = (depth(percentile) - depth(below)) / (depth(above) - depth(below))
  return (point[low] ?? NaN) + part * ((point[high] ?? NaN) - (point[low] ?? NaN))
}

/** @param {Record<string, any>} result @returns {Section[]} none if the result has no samples */
function sectionsOf ({ series = [] }) {
  /** @type {import('../../figures/series').Point[]} */
  const points = [...series]
  // A short last point is not comparable with the others.
  if (points.length > 1 && points[points.length - 1].length < points[0].length / 2) points.pop()
  const count = Math.min(MOST_SECTIONS, points.length)
  return Array.from({ length: count }, (_, i) =>
    addUp(points.slice(Math.floor(i * points.length / count), Math.floor((i + 1) * points.length / count))))
}

/** @param {import('../../figures/series').Point[]} points @returns {Section} */
function addUp (points) {
  /** @param {'length' | 'requests' | 'bytes' | 'failures' | 'errors' | 'non2xx'} key */
  const total = key => sumOf(points, point => point[key])
  return {
    counted: {
      seconds: total('length') / 1000,
      responses: total('requests'),
      ended: total('requests') + total('errors'),
      bytes: total('bytes'),
      failures: total('failures'),
      errors: total('errors'),
      non2xx: total('non2xx'),
      ...points.map(countedIn).reduce(addCounts, {})
    },
    points
  }
}

/** @param {Record<string, number>} counts @param {Record<string, number>} more */
function addCounts (counts, more) {
  return Object.fromEntries(Object.entries(more).map(([key, count]) => [key, (counts[key] ?? 0) + count]))
}

module.exports = { RunSamples, sectionsOf, LEAST_SECTIONS }
