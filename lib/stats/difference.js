'use strict'

// Owns by how much a figure of two servers differs, between which bounds the true difference lies, and whether it is real. Ratios
// are compared by their logarithm: twice as fast and half as fast are equally far away. Shares are compared as they are.

const { RunSamples, sectionsOf } = require('./bootstrap')
const { figureOf } = require('./figures')
const { resolutionOf, binomialError } = require('./floors')
const { spreadOfRuns, spreadOfPairs, reachOfSamples } = require('./spread')

/**
 * The figures are of three kinds that know little of each other, speed, tail and failures, between which what is left to chance
 * is divided (Bonferroni). Within a kind they go together.
 */
const KINDS = 3

/** Three runs on each side, or five and one: fewer don't say how much they vary. */
const LEAST_RUNS = 6

/** How many more runs are looked for at the most. */
const MOST_MORE = 200

/**
 * @typedef {object} Design how the verdicts come about
 * @property {import('./comparison').Basis} basis
 * @property {Array<[number, number]> | null} rounds which runs of base and new are compared with each other, when it is pairs
 * @property {number} confidence
 *
 * @typedef {object} Finding
 * @property {import('./comparison').Compared} row
 * @property {(margin: number) => number | null} runsFor how many more runs on each side would make the interval reach no further
 *   than this; Infinity when they are a great many, null when none would
 * @property {number | null} least how many more runs on each side it takes to say anything at all; null where none would
 */

/** The runs of one server. */
class Side {
  /** @param {Array<Record<string, any>>} results */
  constructor (results) {
    this.results = results
    this.samples = results.length === 1 ? new RunSamples(sectionsOf(results[0])) : null
  }

  /**
   * @param {import('./metric').Metric} metric
   * @returns {{ value: number | null, scaled: number[] | null }} the figure of all runs together, of ratios the geometric mean
   *   (Fleming and Wallace, "How Not to Lie with Statistics", 1986), null when nothing was measured; and those of the runs, of
   *   ratios the logarithms, null when one of them has none
   */
  figures (metric) {
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
 * @param {import('./metric').Metric} metric
 * @param {[base: Side, next: Side]} sides
 * @param {Design} design
 * @returns {Finding}
 */
function differenceOf (metric, sides, design) {
  const [base, next] = sides.map(side => side.figures(metric))
  const isShare = metric.unit === 'share'
  const row = { metric: metric.name, unit: metric.unit, base: base.value, new: next.value }
  const unknown = /** @type {const} */ ({ low: null, high: null, verdict: 'unknown' })
  if (base.scaled === null || next.scaled === null) return { row: { ...row, difference: null, ...unknown }, runsFor: () => null, least: null }
  const shown = isShare ? (/** @type {number} */ value) => value : Math.expm1
  const difference = mean(next.scaled) - mean(base.scaled)
  const runs = base.scaled.length + next.scaled.length
  const tooFew = (/** @type {number} */ least) => ({ row: { ...row, difference: shown(difference), ...unknown }, runsFor: () => null, least })
  if (design.basis !== 'samples' && runs < LEAST_RUNS) return tooFew(Math.ceil((LEAST_RUNS - runs) / 2))
  const { reach, least, agrees } = design.basis === 'samples'
    ? ofSamples(metric, sides, design)
    : { ...ofRuns(metric, sides, [base.scaled, next.scaled], design), agrees: () => true }
  const half = Math.max(reach(0), least)
  // Two more runs on each side make three.
  if (Number.isNaN(half)) return tooFew(2)
  // Rounding is in the last digit of the reach, too.
  const isReal = Math.abs(difference) > half * (1 + 1e-9) && agrees(half, difference)
  const rises = difference > 0
  const verdict = !isReal ? 'no difference' : rises === metric.highIsGood ? 'better' : 'worse'
  return {
    row: { ...row, difference: shown(difference), low: shown(difference - half), high: shown(difference + half), verdict },
    runsFor: margin => least > margin ? null : runsFor(reach, margin),
    least: null
  }
}

/**
 * @typedef {object} Known
 * @property {import('./spread').Reach} reach
 * @property {number} least what more runs don't make less
 */

/**
 * @param {import('./metric').Metric} metric
 * @param {[Side, Side]} sides
 * @param {number[][]} scaled
 * @param {Design} design
 * @returns {Known}
 */
function ofRuns (metric, sides, [base, next], { rounds, confidence }) {
  const floors = sides.map(({ results }, i) => metric.unit === 'share' ? binomialError(metric, results, mean([base, next][i])) : 0)
  const each = 1 - (1 - confidence) / KINDS
  const reach = rounds === null
    ? spreadOfRuns(base, next, [floors[0], floors[1]], each)
    : spreadOfPairs(rounds.map(([i, j]) => next[j] - base[i]), Math.hypot(...floors), each)
  return { reach, least: resolution(metric, sides, [...base, ...next]) }
}

/**
 * @param {import('./metric').Metric} metric
 * @param {[Side, Side]} sides
 * @param {Design} design
 * @returns {Known & { agrees: (reach: number, difference: number) => boolean }}
 */
function ofSamples (metric, sides, { confidence }) {
  const [base, next] = sides.map(({ samples }) => /** @type {RunSamples} */ (samples).uncertainty(metric))
  const isShare = metric.unit === 'share'
  const floors = sides.map(({ results }) => isShare ? binomialError(metric, results, figureOf(metric, results[0]) ?? 0) : 0)
  const known = [base, next].map(({ error, freedom }, i) => ({ result: sides[i].results[0], error: Math.max(error, floors[i]), freedom }))
  const reach = reachOfSamples(metric, known, 1 - (1 - confidence) / KINDS)
  const levels = isShare ? next.level - base.level : Math.log(next.level / base.level)
  // A percentile beside a gap jumps over it: what is real shows in the mean of the samples, too.
  const agrees = (/** @type {number} */ reach, /** @type {number} */ difference) => Math.abs(levels) > reach && Math.sign(levels) === Math.sign(difference)
  return { reach: () => reach, least: resolution(metric, sides, isShare ? [] : sides.map(({ results }) => Math.log(figureOf(metric, results[0]) ?? 1))), agrees }
}

/**
 * @param {import('./metric').Metric} metric
 * @param {Side[]} sides
 * @param {number[]} scaled of all runs
 * @returns {number}
 */
function resolution (metric, sides, scaled) {
  return metric.unit === 'share' ? 0 : Math.log1p(resolutionOf(metric, sides.flatMap(({ results }) => results), Math.exp(Math.min(...scaled))))
}

/**
 * @param {import('./spread').Reach} reach
 * @param {number} margin
 */
function runsFor (reach, margin) {
  for (let more = 1; more <= MOST_MORE; more++) if (reach(more) <= margin) return more
  return Infinity
}

/** @param {number[]} values */
function mean (values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

module.exports = { Side, differenceOf, KINDS }
