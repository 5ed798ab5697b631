'use strict'

// The comparison of two servers: the figures that differ, the limits, and what weakens it.
//
// With several runs on each side, the run is the unit: the variance between runs includes every smaller one. With one
// run on each side, only its own samples are known, and they give an indication. The intervals hold for all figures at
// once: of two equal servers, at most 5 % of all comparisons report a difference, however many figures they have
// (bench/accuracy/verdicts.js).

const { warning } = require('../../core/finding')
const { LEAST_SECTIONS } = require('./bootstrap')
const { circumstancesOf } = require('./circumstances')
const { Side, differenceOf, tooFewFor, isSharper, KINDS } = require('./difference')
const { countsMessages } = require('../../core/counted')
const { countOf, figureOf } = require('../../figures/figures')
const { COMPARED_RATES, COMPARED_TIMES, parseMetric } = require('../../figures/metric')
const { isOfEvents } = require('../../figures/parts')
const { orderOf } = require('./order')
const { RUN_TO_RUN } = require('./spread')
const { sentenceOf } = require('../../words/judgements')
const { round } = require('../../core/units')

const CONFIDENCE = 0.95

/** The default metrics. */
const METRICS = Object.freeze([
  ...['rps', 'avg', 'p50', 'p95', 'p99', 'failure rate', 'error rate'].map(name => parseMetric(name)),
  parseMetric('non2xx', true)
])

/**
 * @param {Array<Record<string, any>>} results
 * @returns {ReadonlyArray<import('../../figures/metric').Metric>} the default metrics that such results can have: a
 *   message has no status, and without an ended stream there are no responses
 */
function requestMetrics (results) {
  const known = results.every(countsMessages) ? METRICS.filter(({ row }) => row.of !== 'non2xx') : METRICS
  return results.every(isOfEvents)
    ? known.filter(metric => metric.row.of !== 'responses' && results.some(result => figureOf(metric, result) !== null))
    : known
}

/** Of each time beside the latency. */
const OF_TIMES = ['p50', 'p99']

/**
 * @param {Array<Record<string, any>>} results
 * @returns {import('../../figures/metric').Metric[]} of further times and rates that all of them have
 */
function othersIn (results) {
  const ofTimes = COMPARED_TIMES.map(time => OF_TIMES.map(figure => parseMetric(`${time} ${figure}`)))
  const ofRates = COMPARED_RATES.map(rate => [parseMetric(rate)])
  return [...ofRates, ...ofTimes].flatMap(metrics =>
    results.every(result => countOf(metrics[0], result, null) > 0) ? metrics : [])
}

/**
 * @typedef {object} Compared
 * @property {string} metric
 * @property {import('../../figures/metric').Unit} unit
 * @property {number | null} base null when nothing was measured
 * @property {number | null} new
 * @property {number | null} difference relative to base; of a share, new − base
 * @property {number | null} low the interval of the difference
 * @property {number | null} high
 * @property {'no difference' | 'better' | 'worse' | 'unknown'} verdict
 *
 * @typedef {'pairs' | 'runs' | 'samples'} Basis the data of verdicts: pairs of runs that were made side by side, the
 *   runs of each side, or the samples of one run on each side, which is an indication only
 *
 * @typedef {object} Comparison
 * @property {number} confidence for all intervals together
 * @property {Basis} basis
 * @property {{ base: number, new: number }} runs
 * @property {Compared[]} metrics
 * @property {import('./limit-verdict').RegressionJudgement[]} limits those of `failIf`, and their verdicts
 * @property {string[]} notes what weakens the comparison: a sentence for each finding
 * @property {Finding[]} findings the same as data; an error is the reason why there is no verdict
 * @property {string} [inconclusive] why there is no verdict, or why the servers may differ although no difference was
 *   found
 *
 * @typedef {import('../../findings/findings').Finding} Finding
 */

/**
 * @param {Array<Record<string, any>>} base results of one server, at least one
 * @param {Array<Record<string, any>>} next
 * @param {import('./regression').Regression[]} [failIf]
 * @param {{ confidence?: number, alternated?: boolean }} [how] `confidence` is higher for interim looks
 *   (early-stop.js); `alternated`: whether versus made the runs, so that their order needs no finding
 * @returns {Comparison}
 */
function compare (base, next, failIf = [], { confidence = CONFIDENCE, alternated = false } = {}) {
  const usual = requestMetrics([...base, ...next])
  /** @type {Map<string, import('../../figures/metric').Metric>} */
  const metrics = new Map([...usual, ...othersIn([...base, ...next]), ...failIf.map(({ metric }) => metric)]
    .map(metric => [metric.key, metric]))
  const kinds = metrics.size - usual.length + Math.min(KINDS, usual.length)
  /** @type {[Side, Side]} */
  const sides = [new Side(base), new Side(next)]
  const circumstances = circumstancesOf(base, next)
  const order = orderOf(base, next)
  const { basis, findings } = findDifferences(metrics, sides, order.pairs, 1 - (1 - confidence) / kinds)
  const { judgeRegression, judgePremise, unwatchedIn } = require('./limit-verdict')
  const known = { ...circumstances, basis, unwatched: unwatchedIn(findings, failIf) }
  const { work, unlike, hides, ofLatencies } = circumstances
  /** @param {import('../../figures/metric').Metric | undefined} metric */
  const doubtsOf = metric => metric?.unit === 'ms' && metric.row.server === undefined ? ofLatencies : { unlike, hides }
  const inconclusive = work === null ? unlike ?? hides : null
  return noted({
    confidence,
    basis,
    runs: { base: base.length, new: next.length },
    metrics: Array.from(findings, ([key, { row }]) =>
      work !== null ? withoutInterval(row) : withDoubts(row, doubtsOf(metrics.get(key)))),
    limits: [
      ...failIf.map(limit => judgeRegression(limit, /** @type {any} */ (findings.get(limit.metric.key)), known)),
      ...judgePremise(base, next)
    ],
    notes: [],
    ...inconclusive !== null && { inconclusive: sentenceOf(inconclusive) }
    // The runs of versus alternate, and only an interruption makes them incomplete.
  }, [
    ...circumstances.findings,
    ...order.finding === null || alternated ? [] : [order.finding],
    ...onMaxima(metrics, sides),
    ...onSamples(sides)
  ])
}

/**
 * @template {Pick<Comparison, 'notes'> & { findings?: Finding[] }} T
 * @param {T} comparison
 * @param {Finding[]} findings further ones
 * @returns {T & { findings: Finding[] }} with a sentence for each
 */
function noted (comparison, findings) {
  return {
    ...comparison,
    notes: [...comparison.notes, ...findings.map(finding => sentenceOf(finding))],
    findings: [...comparison.findings ?? [], ...findings]
  }
}

/**
 * @param {Map<string, import('../../figures/metric').Metric>} metrics
 * @param {[Side, Side]} sides
 * @param {import('./order').Order['pairs']} pairs
 * @param {number} each confidence of each of them
 * @returns {{ basis: Basis, findings: Map<string, import('./difference').Finding> }}
 */
function findDifferences (metrics, sides, pairs, each) {
  const find = (/** @type {Basis} */ basis, /** @type {import('./order').Order['pairs']} */ pairs = null) =>
    new Map(Array.from(metrics, ([key, metric]) =>
      [key, differenceOf(metric, sides, { basis, pairs, confidence: each })]))
  if (sides.every(({ results }) => results.length === 1)) return { basis: 'samples', findings: find('samples') }
  const byRun = find('runs')
  const byPair = pairs === null ? null : find('pairs', pairs)
  return byPair !== null && isSharper(byPair, byRun)
    ? { basis: 'pairs', findings: byPair }
    : { basis: 'runs', findings: byRun }
}

/**
 * @param {Compared} row
 * @param {Pick<import('./circumstances').Circumstances, 'unlike' | 'hides'>} doubts
 * @returns {Compared} the same; the verdict is unknown if the circumstances do not allow it
 */
function withDoubts (row, { unlike, hides }) {
  const isHidden = row.verdict === 'no difference' && (hides !== null || isWide(row))
  return unlike !== null || isHidden ? { ...row, verdict: 'unknown' } : row
}

/** If an interval includes a difference of this size, "no difference" would be too strong a verdict. */
const HIDDEN = { ratio: 0.25, share: 0.05 }

/** @param {Compared} row */
function isWide ({ unit, low, high }) {
  return Math.max(Number(high), -Number(low)) > (unit === 'share' ? HIDDEN.share : HIDDEN.ratio)
}

/** @param {Compared} row @returns {Compared} the same figures without a verdict */
function withoutInterval (row) {
  return { ...row, low: null, high: null, verdict: 'unknown' }
}

/**
 * @param {Map<string, import('../../figures/metric').Metric>} metrics
 * @param {Side[]} sides
 * @returns {Finding[]} the percentiles with too few values
 */
function onMaxima (metrics, sides) {
  const coarse = [...metrics.values()]
    .map(metric => ({ percentile: metric.percentile, counts: tooFewFor(metric, sides) }))
    .filter(({ counts }) => counts.length > 0)
  if (coarse.length === 0) return []
  return [warning('few-values', {
    percentiles: [...new Set(coarse.map(({ percentile }) => percentile))],
    counts: [...new Set(coarse.flatMap(({ counts }) => counts))],
    perRun: true
  })]
}

/** @param {Side[]} sides @returns {Finding[]} on the samples of single runs */
function onSamples (sides) {
  const samples = sides.flatMap(({ samples }) => samples ?? [])
  if (samples.length < 2) return []
  if (samples.some(({ sections }) => sections.length === 0)) {
    return [warning('no-samples')]
  }
  if (samples.some(({ suffices }) => !suffices)) {
    return [warning('few-samples', { needed: LEAST_SECTIONS })]
  }
  const block = round(Math.max(...samples.map(({ longestBlock }) => longestBlock)))
  return [warning('single-runs', { allowance: RUN_TO_RUN, block })]
}

module.exports = { compare, noted, CONFIDENCE }
