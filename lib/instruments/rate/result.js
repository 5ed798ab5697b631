'use strict'

// The rate in a result: target and achieved.

const { round } = require('../../core/units')
const { paceOf } = require('./kept-pace')

/** @param {unknown} _ @param {import('../../figures/result').Context} context */
function derive (_, { outcome: { totals, targetRate, stages = null }, seconds }) {
  return { rate: rateOf(totals, Number(targetRate), seconds, stages !== null) }
}

/**
 * @param {import('../../record/totals').Totals} totals
 * @param {number} target requests per second
 * @param {number} seconds
 * @param {boolean} changes whether the target is the mean of a rate that changes: the last request may be due long
 *   before the end then
 */
function rateOf ({ sent, late, unsent, sentUntil, skipped, keptPace }, target, seconds, changes) {
  const written = sent - (skipped?.inFlight ?? 0)
  const until = sentUntil / 1000
  // In a pause no request is due or missing. Late requests of the excluded start are sent afterwards: that is more than
  // the target.
  const expected = target === 0
    ? 0
    : Math.min(written / target, skipped === null || changes ? Infinity : until + 1 / target)
  // A run that sent all it was to send may have waited for the last responses long after.
  const sending = unsent > 0 ? seconds : Math.max(expected, until)
  const achieved = sending === 0 ? 0 : written / sending
  return {
    target,
    achieved: round(achieved),
    ratio: target === 0 ? 1 : round(achieved / target),
    sent,
    late,
    unsent,
    ...keptPace !== null && paceOf(keptPace)
  }
}

/** The metric of a rate: the achieved share. */
const METRICS = {
  rows: {
    'rate ratio': {
      unit: 'share', of: 'rateRatio', highIsGood: true, parts: ['stage', 'scenario'], arrivals: true, sees: ['load']
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ rate }) => rate?.sent > 0 ? { counted: { rateRatio: rate.ratio } } : {}
}

module.exports = { METRICS, derive }
