'use strict'

// Whether the pace and the rate were kept.

const { batchedPace } = require('../../words/load-generator')

/** @param {import('../../record/recorder').KeptPace} kept */
function paceOf ({ pace, reason }) {
  if (reason === null) return { pace }
  return typeof reason === 'string'
    ? { pace, paceReason: reason }
    : { pace, paceReason: batchedPace(reason), paceCause: reason }
}

/** From this share of the target on, a rate was kept. */
const KEPT = 0.99
/** From this share of late requests on, p99 includes their delay. */
const LATE = 0.01

/**
 * @param {Record<string, any>} part a result, or a stage of one
 * @returns {boolean} whether all due requests were sent; false without a rate
 */
function isRateKept ({ rate }) {
  return rate !== undefined && rate.ratio >= KEPT
}

/**
 * @param {Record<string, any>} part likewise
 * @returns {boolean} whether all due iterations started; false without a rate of iterations
 */
function areIterationsKept ({ iterations }) {
  return iterations?.due > 0 && iterations.due - iterations.neverStarted >= KEPT * iterations.due
}

/**
 * @param {Record<string, any>} part likewise
 * @returns {boolean} whether enough requests were sent late, or never, to change p99; false without a rate
 */
function isSentLate ({ rate }) {
  return rate !== undefined && rate.late + rate.unsent >= LATE * (rate.sent + rate.unsent) &&
    rate.late + rate.unsent > 0
}

/**
 * @param {Record<string, any>} part likewise
 * @returns {Required<Pick<import('../generator/cause').Circumstances, 'hasTarget' | 'sentLate' | 'rateKept'>>} facts
 *   for a sentence on the load generator
 */
function paceCircumstances (part) {
  return {
    hasTarget: part.rate !== undefined || part.iterations !== undefined,
    sentLate: isSentLate(part),
    rateKept: isRateKept(part) || areIterationsKept(part)
  }
}

module.exports = { KEPT, LATE, isRateKept, isSentLate, paceCircumstances, paceOf }
