'use strict'

// The sentences on the precision that `--until` reached.

const { formatDuration, formatInteger, formatPercent } = require('../core/units')
const { DECIDED, LONGEST, reasonOf } = require('../judge/until')
const { sentenceOf } = require('../words/judgements')
const { butOf, formatWidth } = require('../words/precision')
const { formatFigure } = require('./verdicts')

/** The number of periods of a swing that it takes to detect it (judge/hindrance.js). */
const PERIODS = 5

/**
 * @param {string | { expression: string }} until an option
 * @returns {boolean} whether it is `decided`
 */
const isDecision = until => String(Object(until).expression ?? until).trim().toLowerCase() === DECIDED

/**
 * With four times the requests, an interval is half as wide.
 * @param {{ width: number | null, target: number }} known the precision so far, and its target
 * @param {number} elapsed time of the run, as a multiple of its duration
 * @returns {number} the expected length of the run, likewise
 */
function expectedDurations ({ width, target }, elapsed) {
  if (width === null) return elapsed > 1 ? LONGEST : 1
  return Math.min(LONGEST, Math.max(1, elapsed * (width / target) ** 2))
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} such as `p99 12.3 ms ±1.9 % (95 %, if nothing is slower than 8.2 s) after 41 s`, or why it
 *   is unknown; null without `until`
 */
function knownSentence ({ until }) {
  if (until === undefined) return null
  if (until.expression === DECIDED) {
    if (!until.reached) return `Not decided: ${whyUnknown(until)}`
    const were = until.target === 1 ? 'The threshold was' : `All ${formatInteger(until.target)} thresholds were`
    return `${were} decided after ${formatDuration(until.after)}`
  }
  if (!hasInterval(until)) return `${until.expression} is inconclusive: ${whyUnknown(until)}`
  const { metric, unit, value, width, confidence, after, hindrance } = until
  return `${metric} ${formatFigure(unit, value)} ${formatWidth(width)} (${formatPercent(confidence)}, ` +
    `if nothing is slower than ${formatDuration(slowestSeen(after))}) after ${formatDuration(after)}${butOf(hindrance)}`
}

/**
 * @param {number} seconds of a run
 * @returns {number} the longest period of a swing that it would detect, seconds
 */
function slowestSeen (seconds) {
  return Number((seconds / PERIODS).toPrecision(2))
}

/** @param {Record<string, any>} until of a result @returns {boolean} whether it has an interval */
function hasInterval ({ value, width }) {
  return value !== null && width !== null
}

/** @param {Record<string, any>} until of a result that did not reach it @returns {string} why */
const whyUnknown = until => sentenceOf(reasonOf(until))

/**
 * @param {{ metric: string, width: number | null, target: number }} known so far
 * @returns {string} such as `p99 ±3 %, target ±2 %`
 */
function precisionSoFar ({ metric, width, target }) {
  return `${metric} ${width === null ? '±?' : formatWidth(width)}, target ${formatWidth(target)}`
}

module.exports = {
  isDecision, precisionSoFar, LONGEST, expectedDurations, formatWidth, hasInterval, knownSentence, whyUnknown
}
