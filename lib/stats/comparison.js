'use strict'

// Owns the comparison of two servers: which figures differ, what follows for the limits, and what makes it worth less than it
// seems.
//
// With several runs on each side the run is the unit: the variance between runs holds all that is below it. With one run on each
// side its own samples are all there is, and what they say is an indication. The bounds hold for all figures at once: two equal
// servers are called different in at most 5 % of all comparisons, however many figures are compared (bench/accuracy/verdicts.js).

const { LEAST_SECTIONS } = require('./bootstrap')
const { Side, differenceOf, isSharper, KINDS } = require('./difference')
const { parseMetric } = require('./metric')
const { orderOf } = require('./order')
const { RUN_TO_RUN } = require('./spread')
const { differenceOfWork } = require('./work')

const CONFIDENCE = 0.95

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
 * @typedef {'pairs' | 'runs' | 'samples'} Basis what verdicts rest on: runs that were made side by side, the runs of each side, or
 *   the samples of one run on each side, which is an indication
 *
 * @typedef {object} Comparison
 * @property {number} confidence for all intervals together
 * @property {Basis} basis
 * @property {{ base: number, new: number }} runs
 * @property {Compared[]} metrics
 * @property {import('./limit-verdict').RegressionJudgement[]} limits what `failIf` says, and whether it is so
 * @property {string[]} notes what makes the comparison worth less than it seems
 */

/**
 * @param {Array<Record<string, any>>} base results of the same thing, at least one
 * @param {Array<Record<string, any>>} next
 * @param {import('./regression').Regression[]} [failIf]
 * @param {{ confidence?: number, inRounds?: boolean }} [how] how sure it has to be: who looks several times asks for more
 *   (early-stop.js); and whether the runs were made in rounds, of which there may be more
 * @returns {Comparison}
 */
function compare (base, next, failIf = [], { confidence = CONFIDENCE, inRounds = false } = {}) {
  /** @type {Map<string, import('./metric').Metric>} */
  const metrics = new Map([...METRICS, ...failIf.map(({ metric }) => metric)].map(metric => [metric.key, metric]))
  /** @type {[Side, Side]} */
  const sides = [new Side(base), new Side(next)]
  const work = differenceOfWork(base, next)
  const order = orderOf(base, next)
  const { basis, findings } = findDifferences(metrics, sides, order.rounds, confidence)
  const { judgeRegression, judgePremise } = require('./limit-verdict')
  const circumstances = { work, basis, hides: hides([...base, ...next]), interrupted: [...base, ...next].some(({ interrupted }) => interrupted === true), inRounds }
  return {
    confidence,
    basis,
    runs: { base: base.length, new: next.length },
    metrics: Array.from(findings.values(), ({ row }) => work === null ? row : withoutVerdict(row)),
    limits: [...failIf.map(limit => judgeRegression(limit, /** @type {any} */ (findings.get(limit.metric.key)), circumstances)), ...judgePremise(base, next)],
    notes: [
      ...work === null ? [] : [`base and new did not do the same work (${work}): there is no verdict`],
      ...order.note === null ? [] : [order.note],
      ...notesOn(base, next, sides)
    ]
  }
}

/**
 * @param {Map<string, import('./metric').Metric>} metrics
 * @param {[Side, Side]} sides
 * @param {import('./order').Order['rounds']} rounds
 * @param {number} confidence for all of them
 * @returns {{ basis: Basis, findings: Map<string, import('./difference').Finding> }}
 */
function findDifferences (metrics, sides, rounds, confidence) {
  const each = 1 - (1 - confidence) / (KINDS + metrics.size - METRICS.length)
  const find = (/** @type {Basis} */ basis, /** @type {import('./order').Order['rounds']} */ rounds = null) =>
    new Map(Array.from(metrics, ([key, metric]) => [key, differenceOf(metric, sides, { basis, rounds, confidence: each })]))
  if (sides.every(({ results }) => results.length === 1)) return { basis: 'samples', findings: find('samples') }
  const byRun = find('runs')
  const byPair = rounds === null ? null : find('pairs', rounds)
  return byPair !== null && isSharper(byPair, byRun) ? { basis: 'pairs', findings: byPair } : { basis: 'runs', findings: byRun }
}

/**
 * @param {Array<Record<string, any>>} results
 * @returns {string | null} why a difference may be there and not be seen: a generator that is the limit is as fast with any server
 */
function hides (results) {
  const verdicts = results.map(({ generator }) => generator?.verdict ?? (generator?.saturated === true ? 'saturated' : 'healthy'))
  if (verdicts.includes('starved')) return 'the generator of at least one run was starved of a core, which hides differences of the servers'
  if (verdicts.includes('saturated')) return 'the generator was the limit of at least one run, which hides differences of the servers'
  return null
}

/**
 * @param {Compared} row
 * @returns {Compared} the same figures, of which nothing follows
 */
function withoutVerdict (row) {
  return { ...row, low: null, high: null, verdict: 'unknown' }
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
  if (all.some(({ generator }) => generator?.verdict === 'starved')) notes.push('the generator of at least one run was starved of a core: its figures show the machine, not the server')
  if (all.some(({ interrupted }) => interrupted)) notes.push('at least one run was interrupted')
  const samples = sides.flatMap(({ samples }) => samples ?? [])
  if (samples.length < 2) return notes
  if (samples.some(({ sections }) => sections.length === 0)) {
    notes.push('a single run without its samples (made by another version or tool) can\'t say how much it varies: only several of them can be compared')
  } else if (samples.some(({ suffices }) => !suffices)) {
    notes.push(`a single run of fewer than ${LEAST_SECTIONS} samples can't say how much it varies: run for longer, or several times`)
  } else {
    notes.push(`one run on each side is an indication: what differs from one start of a server to the next can't be seen in it, and a standard deviation of ${(RUN_TO_RUN * 100).toFixed(0)} % is allowed for. Three runs on each side, in turn, tell more.`)
  }
  return notes
}

module.exports = { compare, METRICS, CONFIDENCE }
