'use strict'

// Parses the value of `--until`: a figure with a precision, such as `p99 ±2%`, or `decided`.

const { show } = require('../core/foreign-text')

/** The longest run, as a multiple of its duration. */
const LONGEST = 10

/** Values of a histogram have three digits, so 0.1 % is the best precision. */
const NARROWEST = 0.001
const WIDEST = 0.5

/** Units of metrics with an interval; extremes and rare counts have none. */
const UNITS = new Set(['ms', 'requests/s', 'bytes/s'])

/** The code of a run that ended because all thresholds are decided. */
const DECIDED = 'decided'

/**
 * @typedef {object} Until
 * @property {string} expression as it was given
 * @property {import('../figures/metric').Metric | null} metric null for the thresholds
 * @property {number} target half the width of the interval, relative to the figure: 0.02 for ±2%
 */

/**
 * @param {unknown} given such as `p99 ±2%`, or `p99 +-2%`, or `decided`
 * @returns {Until}
 * @throws {TypeError} with the given text, the wrong part and the allowed values
 */
function parseUntil (given) {
  if (typeof given !== 'string') throw new TypeError(`expected a text such as 'p99 ±2%', got ${show(given)}`)
  if (given.trim().toLowerCase() === DECIDED) return { expression: DECIDED, metric: null, target: 0 }
  try {
    const [, left, number, unit] = /^(.*?)\s*(?:±|\+\/?-)\s*([\d.]+)\s*(.*?)\s*$/s.exec(given) ?? []
    if (left === undefined) throw new TypeError('there is no ± and number in it; +- is the same as ±')
    const target = Number(number) / 100
    if (unit !== '%') {
      throw new TypeError('the precision is a share of the figure, such as ±2%, ' +
        `and not ±${show(number + unit).slice(1, -1)}`)
    }
    if (!(target >= NARROWEST && target <= WIDEST)) {
      throw new TypeError(`a precision is from ±${NARROWEST * 100}% to ±${WIDEST * 100}%`)
    }
    if (left.includes(':')) throw new TypeError('it is about the whole run, not about a part of it')
    const metric = require('../figures/metric').parseMetric(left)
    if (metric.row.time !== undefined) {
      throw new TypeError(`a run reports how precise its latency is, and no other time: give p99 ±${number}%, ` +
        `or hold ${metric.name} to a threshold`)
    }
    const isExtreme = metric.percentile === 100 || metric.row.run === false ||
      (metric.percentile === null && !metric.row.compared)
    if (!UNITS.has(metric.unit) || isExtreme) {
      throw new TypeError(`how precise ${metric.name} is a run can't tell; ` +
        'there are avg, rps, bytes/s and percentiles below 100')
    }
    return { expression: given.trim(), metric, target }
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(`expected something like 'p99 ±2%', or decided, got ${show(given)}: ${message}`)
  }
}

/**
 * @param {Record<string, any>} until that was not reached, of a result that may be of an older version
 * @returns {import('../words/judgements').Reason} why
 */
function reasonOf ({ expression, value, target, width, after, hindrance }) {
  if (expression === DECIDED) {
    return { code: 'undecided-thresholds', facts: { undecided: target - value, thresholds: target, after } }
  }
  if (value === null) return { code: 'nothing-measured', facts: {} }
  if (width === null) return { code: 'short-run', facts: { after } }
  return { code: 'imprecise', facts: { width, target, after, ...hindrance !== undefined && { hindrance } } }
}

/**
 * @template {Record<string, any>} T
 * @param {T} until of a result
 * @returns {T & { finding?: import('../findings/findings').Finding }} with the reason if it was not reached
 */
function withReason (until) {
  return until.reached ? until : { ...until, finding: { ...reasonOf(until), severity: 'warning' } }
}

module.exports = { parseUntil, reasonOf, withReason, DECIDED, LONGEST }
