'use strict'

// Owns the limits of a comparison: how `p99 +10%` is read, and whether a figure has gone that far.

const { show } = require('../foreign-text')
const { parseMetric, parseQuantity } = require('./metric')

/**
 * @typedef {object} Regression
 * @property {string} expression as it was given
 * @property {import('./metric').Metric} metric
 * @property {number} limit how far is too far, with its sign: relative, or in the unit of the metric when it is absolute
 * @property {boolean} absolute
 *
 * @typedef {object} RegressionJudgement
 * @property {string} expression
 * @property {number | null} actual the difference, in the same form as the limit
 * @property {boolean} passed false as well when nothing can be said
 * @property {string} reason
 * @property {true} [implied] nobody asked for it: it is what every comparison takes for granted, and is there when it failed
 */

/**
 * @param {unknown} given `p99 +10%`: more than 10 % higher, and really so; `rps -5%`: more than 5 % lower
 * @returns {Regression}
 * @throws {TypeError} which says what was given, which part is wrong and what is allowed
 */
function parseRegression (given) {
  if (typeof given !== 'string') throw new TypeError(`expected a text such as 'p99 +10%', got ${show(given)}`)
  try {
    const [, name, sign, amount] = /^(.*?)\s*([+-])\s*([^+-]+)$/s.exec(given.trim()) ?? []
    if (sign === undefined) throw new TypeError('there has to be a metric and how far it may go, as in p99 +10%, rps -5% or avg +2ms')
    if (name.includes(':')) throw new TypeError('named requests are not compared; give a metric of the whole run')
    const isPercent = amount.trim().endsWith('%')
    const metric = comparable(parseMetric(name, true))
    const direction = sign === '+' ? 1 : -1
    // Of a share, percent are points.
    const absolute = !isPercent || metric.unit === 'share'
    const limit = absolute ? parseQuantity(amount.trim(), metric) : parseQuantity(amount.trim(), SHARE)
    return { expression: given.trim(), metric, limit: direction * limit, absolute }
  } catch (error) {
    throw new TypeError(`expected something like 'p99 +10%', got ${show(given)}: ${/** @type {Error} */ (error).message}`)
  }
}

const SHARE = /** @type {import('./metric').Metric} */ ({ name: 'a difference', unit: 'share' })

/**
 * @param {import('./metric').Metric} metric
 * @returns {import('./metric').Metric}
 */
function comparable (metric) {
  const { percentile, key, name } = metric
  if ((percentile ?? 0) >= 50 || ['avg', 'rps', 'bytes/s', 'failure rate', 'error rate', 'non2xx share'].includes(key)) return metric
  throw new TypeError(`${name} is not compared; there are p50, p97.5 and any other percentile from p50 on, avg, rps, bytes/s, failure rate, error rate, non2xx`)
}

/**
 * @param {Regression} regression
 * @param {import('./comparison').Compared} compared
 * @param {string | null} [work] how that of base and new differs
 * @returns {RegressionJudgement}
 */
function judgeRegression ({ expression, metric, limit, absolute }, compared, work = null) {
  const { base, new: next, difference, verdict } = compared
  if (base === null || next === null || difference === null) return { expression, actual: null, passed: false, reason: 'nothing was measured' }
  const actual = absolute ? next - base : difference
  if (work !== null) return { expression, actual, passed: false, reason: `not the same work: ${work}` }
  if (limit > 0 ? actual <= limit : actual >= limit) return { expression, actual, passed: true, reason: 'within the limit' }
  if (verdict === 'unknown') return { expression, actual, passed: false, reason: 'beyond the limit, and nothing says whether it is real' }
  if (verdict === 'no difference') return { expression, actual, passed: true, reason: 'beyond the limit, but not shown to be real' }
  return { expression, actual, passed: false, reason: 'beyond the limit' }
}

/**
 * Nobody wants to know whether a server that answers 500 has become faster.
 * @param {Array<Record<string, any>>} base results
 * @param {Array<Record<string, any>>} next
 * @returns {RegressionJudgement[]} one for each side in which a server did not do what it was asked
 */
function judgePremise (base, next) {
  const { PREMISE, findBroken } = require('./premise')
  return Object.entries({ base, new: next }).flatMap(([side, results]) => {
    const broken = results.map(result => findBroken(result)).find(found => found !== null)
    if (broken === undefined || broken === null) return []
    return [{ expression: `${side} ${PREMISE}`, actual: broken.actual, passed: false, reason: `${side}: ${broken.sentence}`, implied: /** @type {const} */ (true) }]
  })
}

module.exports = { parseRegression, judgeRegression, judgePremise }
