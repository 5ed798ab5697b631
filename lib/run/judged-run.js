'use strict'

// One run and its verdict: thresholds, conditions for an early end, and the final or partial result.

const { buildResult, identityOf } = require('../figures/result')
const { withPassed } = require('../judge/passed')
const { mostConnections } = require('../options/load/load')
const { openFileLimit } = require('./environment')

/** @typedef {import('../options/read').Reading['values']} Values */

/** @param {Record<string, any>} result @returns {Record<string, any>} the result of a run without thresholds */
const unjudged = result => withPassed({ ...result, thresholds: [] })

/** @type {Pick<typeof import('../judge/judge'), 'judged' | 'judgedSoFar'>} */
const NO_JUDGE = { judged: unjudged, judgedSoFar: unjudged }

class JudgedRun {
  /**
   * @param {Values} values
   * @param {{ options?: Record<string, unknown>, environment?: Record<string, unknown> }} origin
   * @param {() => import('../figures/result').Outcome} outcomeSoFar
   */
  constructor (values, origin, outcomeSoFar) {
    this.values = values
    this.thresholds = thresholdsOf(values)
    const { thresholds } = this
    const isJudged = thresholds !== undefined && thresholds.length > 0
    // Loaded before the load, whose connections may use all file descriptors.
    this.judge = isJudged ? require('../judge/judge') : NO_JUDGE
    this.identity = identityOf({ ...values, connections: mostConnections(values) }, origin)
    this.ending = endingOf(values, () => this.soFar(outcomeSoFar()).thresholds)
    this.course = this.ending ?? (isJudged ? new (require('../judge/batches').Batches)() : null)
  }

  /** @param {import('../figures/result').Outcome} outcome @returns {Record<string, any>} */
  soFar (outcome) {
    const { identity, thresholds, course, values: { inconclusive } } = this
    return this.judge.judgedSoFar(buildResult(identity, outcome), thresholds, course, inconclusive)
  }

  /**
   * @param {import('../figures/result').Outcome} outcome
   * @param {Parameters<typeof import('../judge/judge').judged>[2]} lost
   * @param {Error | null} failure that ended the run
   * @returns {Record<string, any>}
   */
  result (outcome, lost, failure) {
    const { identity, thresholds, course, ending, values: { inconclusive, skipAggregateResult, until } } = this
    const measured = skipAggregateResult
      ? require('../figures/aggregate').toRaw(identity, outcome)
      : this.judge.judged(buildResult(identity, outcome), thresholds, lost, course, inconclusive)
    // The failure changes reports as well as the exit code.
    if (inconclusive === 'exact') {
      measured.thresholds = require('../judge/inconclusive').settle(measured.thresholds, 'exact')
    }
    if (ending !== null) {
      measured.until = require('../judge/until').withReason(ending.outcome(until, /** @type {any} */ (measured)))
    }
    if (outcome.totals.errorCodes.EMFILE > 0) measured.openFileLimit = openFileLimit()
    const result = failure === null ? measured : { ...measured, endedBy: linesOf(failure) }
    return skipAggregateResult ? result : withPassed(result)
  }
}

/** @param {Values} values */
function thresholdsOf ({ strict, thresholds }) {
  if (!strict) return thresholds
  const { STRICT, parseThreshold } = require('../judge/threshold')
  return [...thresholds ?? [], parseThreshold(STRICT)]
}

/**
 * @param {Values} values
 * @param {() => Array<{ passed: boolean | null }>} judge evaluates the thresholds so far
 * @returns {import('../judge/precision').Precision | import('../judge/decided').Decided | null} decides the end of the
 *   run; null if only its duration or amount does
 */
function endingOf ({ until, duration, skipFirst = 0 }, judge) {
  if (until === undefined) return null
  const least = (duration - skipFirst) * 1000
  return until.metric === null
    ? new (require('../judge/decided').Decided)(least, judge)
    : new (require('../judge/precision').Precision)(until, least)
}

/** Returns the lines of the error's message. @type {(error: Error) => string[]} */
function linesOf ({ message }) {
  return message.split('\n').map(line => line.trimEnd())
}

module.exports = { JudgedRun, linesOf, unjudged }
