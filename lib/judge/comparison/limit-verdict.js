'use strict'

// Owns the verdict on a limit of a comparison. It has three values: passed when even the bad end of the interval is within the
// limit, failed when a difference is real and beyond it, and null when the runs can't tell.

const { formatBytes, formatDifference, formatLatency, formatRate, plural } = require('../../core/units')

/**
 * @typedef {object} RegressionJudgement
 * @property {string} expression
 * @property {number | null} actual the difference, in the same form as the limit
 * @property {boolean | null} passed null when the runs can't tell
 * @property {string} reason
 * @property {{ runs: number }} [needs] how many more runs on each side may tell; left out where none would, or it is not known
 * @property {'within' | 'beyond'} [indication] where one run on each side says so: its whole interval is on that side of the limit
 * @property {true} [implied] nobody asked for it: it is what every comparison takes for granted, and is there when it failed
 *
 * @typedef {object} Design
 * @property {import('./comparison').Basis} basis
 * @property {string | null} unwatched which failures became more, when no limit is about them
 * @property {boolean} [inRounds] the runs were made in rounds, and more rounds are how more runs are made
 *
 * @typedef {Omit<import('./circumstances').Circumstances, 'notes' | 'ofLatencies'> & Partial<Pick<import('./circumstances').Circumstances, 'ofLatencies'>> & Design} Known
 */

/** No more runs than this are advised. */
const MOST_RUNS = 50
/** Runs that vary so much, by a factor, say too little of their variance for a number of runs. */
const WILD = 2
/** From here on the number that is advised is rounded to fives: it is an estimate. */
const ROUND_FROM = 10

/**
 * @param {import('./regression').Regression} regression
 * @param {import('./difference').Finding} finding
 * @param {Known} known
 * @returns {RegressionJudgement}
 */
function judgeRegression ({ expression, metric, limit, absolute }, { row, runsFor, least, why }, { work, cut, basis, unwatched, inRounds = false, ofLatencies, ...both }) {
  const { unlike, hides } = metric.unit === 'ms' && metric.row.server === undefined ? ofLatencies ?? both : both
  const { base, new: next, difference, low, high, verdict } = row
  if (base === null || next === null || difference === null) return { expression, actual: null, passed: false, reason: 'nothing was measured' }
  const actual = absolute ? next - base : difference
  /**
   * @param {boolean | null} passed
   * @param {string} reason
   * @param {number | null} [runs]
   */
  const judged = (passed, reason, runs = null) => ({ expression, actual, passed, reason, ...runs !== null && { needs: { runs } } })
  if (work !== null) return judged(false, `not the same work: ${work}`)
  const isShare = metric.unit === 'share'
  const bound = absolute && !isShare ? limit / base : limit
  if (isShare ? base + bound >= 1 : bound <= -1) return judged(null, `this limit can't be broken: base has ${isShare ? 'too much of it for' : 'less than'} that`)
  if (unlike === null && cut !== null) return judged(null, `${cut}: run it again`)
  if (low === null || high === null) return unlike === null ? judged(null, why ?? tooFew(least, inRounds), least) : judged(null, unlike)
  const format = (/** @type {number} */ value) => formatIn(metric.unit, absolute, absolute && !isShare ? value * base : value)
  const between = `between ${format(low)} and ${format(high)}`
  if (unlike !== null) return judged(null, `${between}, but ${unlike}`)
  const within = metric.highIsGood ? low >= bound : high <= bound
  const hidden = hides ?? (isShare ? null : unwatched)
  const beyond = metric.highIsGood ? difference < bound : difference > bound
  const whole = metric.highIsGood ? high < bound : low > bound
  if (basis === 'samples') {
    const indication = within && hidden === null ? 'within' : whole ? 'beyond' : null
    return { ...judged(null, `${between}, but one run on each side is an indication only: at least 2 more on each side are needed`, 2), ...indication !== null && { indication } }
  }
  if (beyond && verdict !== 'no difference') {
    return judged(false, `${format(difference)} (${between}) is beyond the limit${whole ? '' : ', and a difference is certain'}`)
  }
  if (within && hidden !== null) return judged(null, `${between}, but ${hidden}`)
  if (within) return judged(true, `within the limit: ${between}`)
  // To pass, the interval has to end before the limit; to fail, it must not have 0 in it.
  const apart = (/** @type {number} */ value) => isShare ? value : Math.log1p(value)
  const runs = runsFor(beyond ? Math.abs(apart(difference)) : Math.abs(apart(bound) - apart(difference)))
  if (runs === null) return judged(null, `${between}: these figures are too coarse to tell it`)
  const wild = !isShare && Math.max(1 + high, 1 / (1 + low)) > WILD
  // What hides a difference in all runs hides it in longer ones.
  if (wild) return judged(null, `the runs vary too much (${between}): ${hides ?? `a quieter machine and longer runs help, then more ${inRounds ? 'rounds' : 'runs'}`}`)
  if (runs > MOST_RUNS) return judged(null, `${between}: more than ${more(MOST_RUNS, inRounds)} would be needed; ${hides ?? 'longer runs or a quieter machine help more'}`)
  const about = runs < ROUND_FROM ? runs : Math.ceil(runs / 5) * 5
  return judged(null, `${between}: about ${more(about, inRounds)} may tell`, about)
}

/**
 * @param {number} n
 * @param {boolean} inRounds
 * @returns {string}
 */
function more (n, inRounds) {
  return inRounds ? plural(n, 'more round') : `${plural(n, 'more run')} on each side`
}

/** What fails, and the limits that look at it. */
const WATCHED = Object.freeze({ 'error rate': ['error rate', 'failure rate'], 'failure rate': ['failure rate', 'error rate', 'non2xx share'] })

/**
 * Requests without an answer are not in the latency, what is answered by 500 is quick, and a server has more time for the rest.
 * @param {Map<string, import('./difference').Finding>} findings by the key of their metric
 * @param {import('./regression').Regression[]} limits
 * @returns {string | null} which failures became more, when no limit is about them; null for none
 */
function unwatchedIn (findings, limits) {
  for (const [rate, watchers] of Object.entries(WATCHED)) {
    const row = findings.get(rate)?.row
    if (row?.verdict !== 'worse' || limits.some(({ metric }) => watchers.includes(metric.key))) continue
    return `the ${rate} rose (${formatDifference('share', row.difference)}), and no limit says how far it may: add one, such as '${rate} +1%'`
  }
  return null
}

/**
 * @param {number | null} least how many more runs on each side it takes to say anything
 * @param {boolean} inRounds
 */
function tooFew (least, inRounds) {
  return least === null
    ? 'nothing tells how much these figures vary'
    : `too few runs to say how much they vary: at least ${more(least, inRounds)} ${least === 1 ? 'is' : 'are'} needed`
}

/** @type {Readonly<Record<string, (size: number) => string>>} */
const IN_UNIT = Object.freeze({
  ms: formatLatency,
  'bytes/s': size => `${formatBytes(size)}/s`,
  bytes: formatBytes,
  utilization: size => `${formatRate(size)} cores`
})

/**
 * @param {import('../../figures/metric').Unit} unit
 * @param {boolean} absolute
 * @param {number} value
 * @returns {string} with its sign
 */
function formatIn (unit, absolute, value) {
  if (!absolute || unit === 'share') return formatDifference(unit, value)
  const size = Math.abs(value)
  const digits = IN_UNIT[unit]?.(size) ?? `${formatRate(size)} req/s`
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${digits}`
}

/**
 * Nobody wants to know whether a server that answers 500 has become faster.
 * @param {Array<Record<string, any>>} base results
 * @param {Array<Record<string, any>>} next
 * @returns {RegressionJudgement[]} one for each side in which a server did not do what it was asked
 */
function judgePremise (base, next) {
  const { PREMISE, UNTIL_THE_END, findBroken, findSilence } = require('../premise')
  /** @type {Array<[string, (result: Record<string, any>) => ReturnType<typeof findBroken>]>} */
  const premises = [[PREMISE, result => findBroken(result)], [UNTIL_THE_END, findSilence]]
  return Object.entries({ base, new: next }).flatMap(([side, results]) => premises.flatMap(([premise, find]) => {
    const broken = results.map(find).find(found => found !== null)
    if (broken === undefined || broken === null) return []
    return [{ expression: `${side} ${premise}`, actual: broken.actual, passed: false, reason: `${side}: ${broken.sentence}`, implied: /** @type {const} */ (true) }]
  }))
}

module.exports = { judgeRegression, judgePremise, unwatchedIn }
