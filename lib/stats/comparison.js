'use strict'

// Owns the comparison of two servers: by how much each figure differs, between which bounds the true difference lies, and
// whether it is real.
//
// With several runs on each side the run is the unit (Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time",
// 2013): the variance between runs holds all that is below it, and Student's distribution with Welch's degrees of freedom
// (1947) gives the interval. With one run, its own samples have to tell (bootstrap.js), but never less than its histogram
// would if all requests were independent. They can't tell what differs from one start of a server to the next, so an
// allowance for that is added. The bounds hold for all figures at once: two equal servers are called different in at most
// 5 % of all comparisons, however many figures are compared (test/stats/comparison.test.js).

const { RunSamples, sectionsOf, LEAST_SECTIONS } = require('./bootstrap')
const { figureOf, samplingError } = require('./figures')
const { parseMetric } = require('./metric')
const { studentQuantile } = require('./random')
const { differenceOfWork } = require('./work')

const CONFIDENCE = 0.95
/** What a single run is taken to differ from the next one of the same server, as a standard deviation. */
const RUN_TO_RUN = 0.007

/**
 * The figures are of three kinds that know little of each other, speed, tail and failures, between which the 5 % are
 * divided (Bonferroni). Within a kind they go together.
 */
const KINDS = 3

/** What is compared when nothing is said. */
const METRICS = Object.freeze([
  ...['rps', 'avg', 'p50', 'p95', 'p99', 'failure rate', 'error rate'].map(name => parseMetric(name)),
  parseMetric('non2xx', true)
])

/**
 * @typedef {object} Compared
 * @property {string} metric
 * @property {import('./metric').Unit} unit
 * @property {number | null} base null when nothing was measured
 * @property {number | null} new
 * @property {number | null} difference relative to base; of a share, new − base
 * @property {number | null} low between this
 * @property {number | null} high and this
 * @property {'no difference' | 'better' | 'worse' | 'unknown'} verdict
 *
 * @typedef {object} Comparison
 * @property {number} confidence 0.95: for all intervals together
 * @property {{ base: number, new: number }} runs
 * @property {Compared[]} metrics
 * @property {import('./regression').RegressionJudgement[]} limits what `failIf` says, and whether it is so
 * @property {string[]} notes what makes the comparison worth less than it seems
 */

/**
 * @param {Array<Record<string, any>>} base results of the same thing, at least one
 * @param {Array<Record<string, any>>} next
 * @param {import('./regression').Regression[]} [failIf]
 * @returns {Comparison}
 */
function compare (base, next, failIf = []) {
  /** @type {Map<string, import('./metric').Metric>} */
  const metrics = new Map([...METRICS, ...failIf.map(({ metric }) => metric)].map(metric => [metric.key, metric]))
  const sides = [new Side(base), new Side(next)]
  const work = differenceOfWork(base, next)
  const compared = [...metrics.values()].map(metric => compareMetric(metric, sides[0], sides[1])).map(row => work === null ? row : withoutVerdict(row))
  const { judgeRegression, judgePremise } = require('./regression')
  return {
    confidence: CONFIDENCE,
    runs: { base: base.length, new: next.length },
    metrics: compared,
    limits: [...failIf.map(limit => judgeRegression(limit, compared[[...metrics.keys()].indexOf(limit.metric.key)], work)), ...judgePremise(base, next)],
    notes: [...work === null ? [] : [`base and new did not do the same work (${work}): there is no verdict`], ...notesOn(base, next, sides)]
  }
}

/**
 * @typedef {object} Estimate
 * @property {number | null} value null when nothing was measured
 * @property {number} level the same figure by another way: the mean of its samples or runs, which is what `error` is of
 * @property {number} error standard error, relative; absolute for a share; NaN when nothing tells it
 * @property {number} freedom degrees of freedom of `error`
 * @property {number} allowance for what the samples can't show, as a standard deviation
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
   * @returns {Estimate}
   */
  estimate (metric) {
    const figures = this.results.map(result => figureOf(metric, result))
    if (figures.some(figure => figure === null)) return { value: null, level: NaN, error: NaN, freedom: NaN, allowance: 0 }
    const values = /** @type {number[]} */ (figures)
    const n = values.length
    const value = values.reduce((sum, figure) => sum + figure, 0) / n
    const isShare = metric.unit === 'share'
    if (this.samples !== null) {
      const { level, error, freedom } = this.samples.uncertainty(metric)
      return { value, level, error: Math.max(error, samplingError(metric, this.results[0])), freedom, allowance: isShare ? 0 : RUN_TO_RUN }
    }
    const variance = values.reduce((sum, figure) => sum + (figure - value) ** 2, 0) / (n - 1)
    const error = Math.sqrt(variance / n)
    return { value, level: value, error: isShare || error === 0 ? error : error / value, freedom: n - 1, allowance: 0 }
  }
}

/**
 * @param {import('./metric').Metric} metric
 * @param {Side} baseSide
 * @param {Side} newSide
 * @returns {Compared}
 */
function compareMetric (metric, baseSide, newSide) {
  const base = baseSide.estimate(metric)
  const next = newSide.estimate(metric)
  const { name, unit } = metric
  const isShare = unit === 'share'
  const row = { metric: name, unit, base: base.value, new: next.value }
  if (base.value === null || next.value === null || (!isShare && (base.value <= 0 || next.value <= 0))) {
    return { ...row, difference: null, low: null, high: null, verdict: 'unknown' }
  }
  // Ratios are compared by their logarithm: twice as fast and half as fast are equally far away.
  const apart = (/** @type {number} */ from, /** @type {number} */ to) => isShare ? to - from : Math.log(to / from)
  const difference = apart(base.value, next.value)
  const levels = apart(base.level, next.level)
  const reach = Math.hypot(
    studentQuantile(1 - (1 - CONFIDENCE) / 2 / KINDS, welch(base, next)) * Math.hypot(base.error, next.error),
    studentQuantile((1 + CONFIDENCE) / 2, Infinity) * Math.hypot(base.allowance, next.allowance)
  )
  const shown = isShare ? (/** @type {number} */ value) => value : Math.expm1
  if (Number.isNaN(reach)) return { ...row, difference: shown(difference), low: null, high: null, verdict: 'unknown' }
  // A percentile beside a gap jumps over it: what is real shows in the mean of the samples, too.
  const isReal = Math.min(Math.abs(difference), Math.abs(levels)) > reach && Math.sign(difference) === Math.sign(levels)
  const rises = difference > 0
  const verdict = !isReal ? 'no difference' : rises === metric.highIsGood ? 'better' : 'worse'
  return { ...row, difference: shown(difference), low: shown(difference - reach), high: shown(difference + reach), verdict }
}

/**
 * @param {Compared} row
 * @returns {Compared} the same figures, of which nothing follows
 */
function withoutVerdict (row) {
  return { ...row, low: null, high: null, verdict: 'unknown' }
}

/**
 * @param {{ error: number, freedom: number }} a
 * @param {{ error: number, freedom: number }} b
 * @returns {number} degrees of freedom of the difference (Welch, 1947)
 */
function welch (a, b) {
  const [one, two] = [a.error ** 2, b.error ** 2]
  if (one + two === 0) return Math.min(a.freedom, b.freedom)
  return Math.max(1, (one + two) ** 2 / (one ** 2 / a.freedom + two ** 2 / b.freedom))
}

/** What has to be the same on both sides. */
const CONDITIONS = ['connections', 'pipelining', 'workers']

/**
 * @param {Array<Record<string, any>>} base
 * @param {Array<Record<string, any>>} next
 * @param {Side[]} sides
 * @returns {string[]}
 */
function notesOn (base, next, sides) {
  const all = [...base, ...next]
  const notes = []
  for (const condition of CONDITIONS) {
    const [before, after] = [base, next].map(side => [...new Set(side.map(result => result[condition] ?? 'none'))].join(', '))
    if (before !== after) notes.push(`base and new were not measured alike: ${condition} ${before} and ${after}`)
  }
  const rates = [base, next].map(side => [...new Set(side.map(({ rate }) => rate?.target ?? 'none'))].join(', '))
  const ends = [base, next].map(side => [...new Set(side.map(({ options }) => options === undefined ? 'unknown' : options.amount === undefined ? 'after a time' : 'after an amount'))].join(', '))
  if (!ends.includes('unknown') && ends[0] !== ends[1]) notes.push(`base and new were not measured alike: they end ${ends[0]} and ${ends[1]}`)
  if (rates[0] !== rates[1]) notes.push(`base and new were not measured alike: rate ${rates[0]} and ${rates[1]}`)
  if (all.some(({ generator }) => generator?.saturated)) notes.push('the generator was the limit of at least one run: its figures show the client, not the server')
  if (all.some(({ interrupted }) => interrupted)) notes.push('at least one run was interrupted')
  if (sides.some(({ samples }) => samples !== null && samples.sections.length === 0)) {
    notes.push('a single run without its samples (made by another version or tool) can\'t say how much it varies: only several of them can be compared')
  } else if (sides.some(({ samples }) => samples !== null && !samples.suffices)) {
    notes.push(`a single run of fewer than ${LEAST_SECTIONS} samples can't say how much it varies: run for longer, or several times`)
  } else if (sides.some(({ samples }) => samples !== null)) {
    notes.push(`what differs from one start of a server to the next can't be seen in a single run; a standard deviation of ${(RUN_TO_RUN * 100).toFixed(1)} % is allowed for. Several runs on each side tell more.`)
  }
  return notes
}

module.exports = { compare, METRICS, CONFIDENCE }
