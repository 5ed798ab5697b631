'use strict'

// The difference of a figure between two servers, its interval, and whether it is real. Ratios are compared by their
// logarithm: twice as fast and half as fast are equally far away. Shares are compared as they are.

const { mean } = require('../../core/statistics')
const { RunSamples, sectionsOf } = require('./bootstrap')
const { countOf, figureOf } = require('../../figures/figures')
const { resolutionOf, binomialError } = require('./floors')
const { isMaximum } = require('../../record/percentiles')
const { spreadOfRuns, spreadOfPairs, halfWidthBySamples } = require('./spread')

/**
 * The number of independent kinds among the default figures: rate and average, shares of failures, p50, p95 and p99.
 * Each may differ by chance, so the error rate is divided by their number (Bonferroni), plus one for each further
 * figure.
 */
const KINDS = 5

/** Three runs on each side, or five and one: the variance of fewer is unknown. */
const LEAST_RUNS = 6

/** Pairs are used if their intervals are shorter than those of runs by this factor, in the geometric mean. */
const CLEARLY = 0.7

/** The highest number of further runs that is tried. */
const MOST_MORE = 200

/**
 * @typedef {object} Design the method of the verdicts
 * @property {import('./comparison').Basis} basis
 * @property {Array<[number, number]> | null} pairs of runs of base and new; null if the basis is not pairs
 * @property {number} confidence of each figure alone
 *
 * @typedef {object} Finding
 * @property {import('./comparison').Compared} row
 * @property {(margin: number) => number | null} runsFor how many more runs on each side make the half-width of the
 *   interval at most this; Infinity above MOST_MORE, null if no number does
 * @property {number | null} least how many more runs on each side a verdict needs; null if no number helps
 * @property {import('../reason').Reason} [why] the reason why there is no verdict
 */

/**
 * @typedef {object} Figures
 * @property {number | null} value the mean of all runs, for ratios the geometric one (Fleming and Wallace, "How Not to
 *   Lie with Statistics", 1986); null when nothing was measured
 * @property {number[] | null} scaled the figure of each run, for ratios its logarithm; null if a run has none
 */

class Side {
  /** @param {Array<Record<string, any>>} results */
  constructor (results) {
    this.results = results
    this.samples = results.length === 1 ? new RunSamples(sectionsOf(results[0])) : null
    /** @type {Map<string, Figures>} */
    this.known = new Map()
  }

  /** @param {import('../../figures/metric').Metric} metric @returns {Figures} */
  figures (metric) {
    const known = this.known.get(metric.key) ?? this.read(metric)
    this.known.set(metric.key, known)
    return known
  }

  /** @param {import('../../figures/metric').Metric} metric @returns {Figures} */
  read (metric) {
    const values = this.results.map(result => figureOf(metric, result))
    if (values.some(value => value === null)) return { value: null, scaled: null }
    const known = /** @type {number[]} */ (values)
    if (metric.unit === 'share') return { value: mean(known), scaled: known }
    if (known.some(value => value <= 0)) return { value: mean(known), scaled: null }
    const scaled = known.map(Math.log)
    return { value: known.length === 1 ? known[0] : Math.exp(mean(scaled)), scaled }
  }
}

/**
 * @param {import('../../figures/metric').Metric} metric
 * @param {[base: Side, next: Side]} sides
 * @param {Design} design
 * @returns {Finding}
 */
function differenceOf (metric, sides, design) {
  const [base, next] = sides.map(side => side.figures(metric))
  const isShare = metric.unit === 'share'
  const row = { metric: metric.name, unit: metric.unit, base: base.value, new: next.value }
  const unknown = /** @type {const} */ ({ low: null, high: null, verdict: 'unknown' })
  if (base.scaled === null || next.scaled === null) {
    return { row: { ...row, difference: null, ...unknown }, runsFor: () => null, least: null }
  }
  const few = tooFewFor(metric, sides)
  const shown = isShare ? (/** @type {number} */ value) => value : Math.expm1
  const difference = mean(next.scaled) - mean(base.scaled)
  if (few.length > 0) {
    return {
      row: { ...row, difference: shown(difference), ...unknown },
      runsFor: () => null,
      least: null,
      why: { code: 'few-values', facts: { percentiles: [metric.percentile], counts: few, perRun: true } }
    }
  }
  const runs = base.scaled.length + next.scaled.length
  const tooFew = (/** @type {number} */ least) => ({
    row: { ...row, difference: shown(difference), ...unknown }, runsFor: () => null, least
  })
  if (design.basis !== 'samples' && runs < LEAST_RUNS) return tooFew(Math.ceil((LEAST_RUNS - runs) / 2))
  const { halfWidth, least, agrees } = design.basis === 'samples'
    ? ofSamples(metric, sides, design)
    : { ...ofRuns(metric, sides, [base.scaled, next.scaled], design), agrees: () => true }
  const half = Math.max(halfWidth(0), least)
  // Two more runs on each side make three.
  if (Number.isNaN(half)) return tooFew(2)
  // The half-width has a rounding error in its last digit, too.
  const isReal = Math.abs(difference) > half * (1 + 1e-9) && agrees(half, difference)
  const rises = difference > 0
  const verdict = !isReal ? 'no difference' : rises === metric.highIsGood ? 'better' : 'worse'
  return {
    row: {
      ...row, difference: shown(difference), low: shown(difference - half), high: shown(difference + half), verdict
    },
    runsFor: margin => least > margin ? null : runsFor(halfWidth, margin),
    least: null
  }
}

/**
 * A percentile of too few values is their maximum. It grows with their number, so runs cannot be compared by it.
 * @param {import('../../figures/metric').Metric} metric
 * @param {Side[]} sides
 * @returns {number[]} the different numbers of values of runs that have too few for this percentile
 */
function tooFewFor (metric, sides) {
  const { percentile } = metric
  if (percentile === null) return []
  const counts = sides.flatMap(({ results }) => results.map(result => countOf(metric, result, null)))
  return [...new Set(counts.filter(count => isMaximum(percentile, count)))]
}

/**
 * @typedef {object} Known
 * @property {import('./spread').HalfWidth} halfWidth
 * @property {number} least the half-width that more runs cannot reduce
 */

/**
 * @param {import('../../figures/metric').Metric} metric
 * @param {[Side, Side]} sides
 * @param {number[][]} scaled
 * @param {Design} design
 * @returns {Known}
 */
function ofRuns (metric, sides, [base, next], { pairs, confidence }) {
  const floors = sides.map(({ results }, i) =>
    metric.unit === 'share' ? binomialError(metric, results, mean([base, next][i])) : 0)
  const halfWidth = pairs === null
    ? spreadOfRuns(base, next, [floors[0], floors[1]], confidence)
    : spreadOfPairs(pairs.map(([i, j]) => next[j] - base[i]), Math.hypot(...floors), confidence)
  return { halfWidth, least: resolution(metric, sides, [...base, ...next]) }
}

/**
 * @param {import('../../figures/metric').Metric} metric
 * @param {[Side, Side]} sides
 * @param {Design} design
 * @returns {Known & { agrees: (halfWidth: number, difference: number) => boolean }}
 */
function ofSamples (metric, sides, { confidence }) {
  const [base, next] = sides.map(({ samples }) => /** @type {RunSamples} */ (samples).uncertainty(metric))
  const isShare = metric.unit === 'share'
  const floors = sides.map(({ results }) =>
    isShare ? binomialError(metric, results, figureOf(metric, results[0]) ?? 0) : 0)
  const known = [base, next].map(({ error, freedom }, i) => ({
    result: sides[i].results[0], error: Math.max(error, floors[i]), freedom
  }))
  const halfWidth = halfWidthBySamples(metric, known, confidence)
  const levels = isShare ? next.level - base.level : Math.log(next.level / base.level)
  // A percentile next to a gap in the distribution jumps. A real difference shows in the mean of the samples, too.
  const agrees = (/** @type {number} */ halfWidth, /** @type {number} */ difference) =>
    Math.abs(levels) > halfWidth && Math.sign(levels) === Math.sign(difference)
  const logs = isShare ? [] : sides.map(({ results }) => Math.log(figureOf(metric, results[0]) ?? 1))
  return {
    halfWidth: () => halfWidth,
    least: resolution(metric, sides, logs),
    agrees
  }
}

/** @param {import('../../figures/metric').Metric} metric @param {Side[]} sides @param {number[]} scaled of all runs */
function resolution (metric, sides, scaled) {
  return metric.unit === 'share'
    ? 0
    : Math.log1p(resolutionOf(metric, sides.flatMap(({ results }) => results), Math.exp(Math.min(...scaled))))
}

/** @param {import('./spread').HalfWidth} halfWidth @param {number} margin */
function runsFor (halfWidth, margin) {
  for (let more = 1; more <= MOST_MORE; more++) if (halfWidth(more) <= margin) return more
  return Infinity
}

/**
 * Pairs have half as many degrees of freedom as runs. They are better only if most of the variance affects both runs of
 * a pair. Independent runs are the safe assumption, and fewer than ten pairs should not be compared as pairs without a
 * reason (Diehr et al., "Breaking the Matches in a Paired t-Test for Community Interventions when the Number of Pairs
 * is Small", 1995). One decision is made for all figures: the shorter interval of each figure would be too short.
 * @param {Map<string, Finding>} byPair
 * @param {Map<string, Finding>} byRun
 */
function isSharper (byPair, byRun) {
  /** @type {number[]} */
  const ratios = []
  for (const [key, { row }] of byPair) {
    const other = /** @type {Finding} */ (byRun.get(key)).row
    if (row.unit !== 'share' && row.high !== null && other.high !== null &&
        other.high > /** @type {number} */ (other.low)) {
      ratios.push(Math.log(widthOf(row) / widthOf(other)))
    }
  }
  return ratios.length > 0 && mean(ratios) < Math.log(CLEARLY)
}

/** @param {import('./comparison').Compared} row */
function widthOf ({ low, high }) {
  return Math.log1p(/** @type {number} */ (high)) - Math.log1p(/** @type {number} */ (low))
}

module.exports = { Side, differenceOf, tooFewFor, isSharper, KINDS }
