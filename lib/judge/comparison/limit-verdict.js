'use strict'

// The verdict on a limit of a comparison: passed if even the worse end of the interval is within the limit, failed if a
// difference is real and beyond the limit, and otherwise null (inconclusive).

const { sentenceOf } = require('../../words/judgements')
const { findingOf } = require('../reason')

/**
 * @typedef {object} RegressionJudgement
 * @property {string} expression
 * @property {number | null} actual the difference, in the same form as the limit
 * @property {boolean | null} passed null when inconclusive
 * @property {string} reason
 * @property {import('../../findings/findings').Finding} [finding] the reason as data
 * @property {{ runs: number }} [needs] how many more runs on each side may decide; left out if none would, or if
 *   unknown
 * @property {'within' | 'beyond'} [indication] from one run on each side: the whole interval is on that side of the
 *   limit
 * @property {true} [implied] a premise of every comparison, and no limit of the user; listed if it failed
 *
 * @typedef {object} Design
 * @property {import('./comparison').Basis} basis
 * @property {Reason | null} unwatched failures that became more frequent and that no limit covers
 *
 * @typedef {import('../reason').Reason} Reason
 * @typedef {Omit<import('./circumstances').Circumstances, 'findings' | 'ofLatencies'> &
 *   Partial<Pick<import('./circumstances').Circumstances, 'ofLatencies'>> & Design} Known
 */

/** The highest number of further runs that is advised. */
const MOST_RUNS = 50
/** If runs vary by this factor, their variance is too uncertain to advise a number of runs. */
const WILD = 2
/** From this number on, the advised number is rounded up to a multiple of 5, as it is an estimate. */
const ROUND_FROM = 10

/**
 * @param {import('./regression').Regression} regression
 * @param {import('./difference').Finding} finding
 * @param {Known} known
 * @returns {RegressionJudgement}
 */
function judgeRegression (
  { expression, metric, limit, absolute },
  { row, runsFor, least, why },
  { work, cut, basis, unwatched, ofLatencies, ...both }
) {
  const { unlike, hides } = metric.unit === 'ms' && metric.row.server === undefined ? ofLatencies ?? both : both
  const { base, new: next, difference, low, high, verdict } = row
  if (base === null || next === null || difference === null) {
    return judgement(expression, null, false, { code: 'nothing-measured', facts: {} })
  }
  const { unit } = metric
  const isShare = unit === 'share'
  const actual = absolute ? next - base : difference
  /** The form of the limit. @param {number} value */
  const shown = value => absolute && !isShare ? value * base : value
  /** @param {boolean | null} passed @param {Reason} reason @param {number | null} [runs] */
  const judged = (passed, reason, runs = null) => ({
    ...judgement(expression, actual, passed, reason),
    ...runs !== null && { needs: { runs } }
  })
  if (work !== null) return judged(false, { code: 'not-same-work', facts: work.facts })
  const bound = absolute && !isShare ? limit / base : limit
  if (isShare ? base + bound >= 1 : bound <= -1) return judged(null, { code: 'unbreakable', facts: { unit } })
  if (unlike === null && cut !== null) return judged(null, { code: 'incomplete', facts: { because: cut } })
  if (low === null || high === null) {
    const reason = unlike ?? why ?? { code: 'few-runs', facts: { runs: least } }
    return judged(null, reason, unlike === null ? least : null)
  }
  const between = { unit, absolute, low: shown(low), high: shown(high) }
  if (unlike !== null) return judged(null, { code: 'doubtful', facts: { ...between, because: unlike } })
  const within = metric.highIsGood ? low >= bound : high <= bound
  const hidden = hides ?? (isShare ? null : unwatched)
  const beyond = metric.highIsGood ? difference < bound : difference > bound
  const whole = metric.highIsGood ? high < bound : low > bound
  if (basis === 'samples') {
    const indication = within && hidden === null ? 'within' : whole ? 'beyond' : null
    return { ...judged(null, { code: 'indication', facts: between }, 2), ...indication !== null && { indication } }
  }
  if (beyond && verdict !== 'no difference') {
    return judged(false, { code: 'beyond', facts: { ...between, difference: shown(difference), whole } })
  }
  if (within && hidden !== null) return judged(null, { code: 'doubtful', facts: { ...between, because: hidden } })
  if (within) return judged(true, { code: 'within', facts: between })
  // A limit passes if the interval ends before it, and fails if the interval excludes 0.
  const scaled = (/** @type {number} */ value) => isShare ? value : Math.log1p(value)
  const runs = runsFor(beyond ? Math.abs(scaled(difference)) : Math.abs(scaled(bound) - scaled(difference)))
  if (runs === null) return judged(null, { code: 'coarse', facts: between })
  const wild = !isShare && Math.max(1 + high, 1 / (1 + low)) > WILD
  // A cause that affects all runs would hide the difference in longer ones, too.
  if (wild) return judged(null, { code: 'wild', facts: { ...between, because: hides } })
  if (runs > MOST_RUNS) {
    return judged(null, { code: 'many-runs', facts: { ...between, runs: MOST_RUNS, because: hides } })
  }
  const about = runs < ROUND_FROM ? runs : Math.ceil(runs / 5) * 5
  return judged(null, { code: 'more-runs', facts: { ...between, runs: about } }, about)
}

/**
 * @param {string} expression
 * @param {number | null} actual
 * @param {boolean | null} passed
 * @param {Reason} reason
 * @param {string} [sentence] instead of the one for the code and facts
 * @returns {RegressionJudgement}
 */
function judgement (expression, actual, passed, reason, sentence = sentenceOf(reason)) {
  return { expression, actual, passed, reason: sentence, finding: findingOf(passed, reason) }
}

/** Rates of failures, each with the metrics whose limits cover it. */
const WATCHED = Object.freeze({
  'error rate': ['error rate', 'failure rate'],
  'failure rate': ['failure rate', 'error rate', 'non2xx share']
})

/**
 * Failures make a server look faster: requests without a response have no latency, and a 500 is quick.
 * @param {Map<string, import('./difference').Finding>} findings by the key of their metric
 * @param {import('./regression').Regression[]} limits
 * @returns {Reason | null} failures that became more frequent and that no limit covers
 */
function unwatchedIn (findings, limits) {
  for (const [rate, watchers] of Object.entries(WATCHED)) {
    const row = findings.get(rate)?.row
    if (row?.verdict !== 'worse' || limits.some(({ metric }) => watchers.includes(metric.key))) continue
    return { code: 'unwatched-failures', facts: { metric: rate, difference: row.difference } }
  }
  return null
}

/**
 * Latencies of a server that responds with 500 cannot be compared.
 * @param {Array<Record<string, any>>} base results
 * @param {Array<Record<string, any>>} next
 * @returns {RegressionJudgement[]} one for each side on which requests failed
 */
function judgePremise (base, next) {
  const { PREMISE, UNTIL_THE_END, findBroken, findSilence } = require('../premise')
  /** @type {Array<[string, (result: Record<string, any>) => ReturnType<typeof findBroken>]>} */
  const premises = [[PREMISE, result => findBroken(result)], [UNTIL_THE_END, findSilence]]
  return Object.entries({ base, new: next }).flatMap(([side, results]) => premises.flatMap(([premise, find]) => {
    const broken = results.map(find).find(found => found !== null)
    if (broken === undefined || broken === null) return []
    const { actual, reason: { code, facts } } = broken
    return [{
      ...judgement(`${side} ${premise}`, actual, false, { code, facts: { ...facts, of: side } }),
      implied: /** @type {const} */ (true)
    }]
  }))
}

module.exports = { judgement, judgeRegression, judgePremise, unwatchedIn }
