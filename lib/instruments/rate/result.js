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
 * @param {boolean} changes whether the target is the mean of a changing rate. The last request may be due long before
 *   the end then
 */
function rateOf ({ sent, late, unsent, sentUntil, skipped, keptPace }, target, seconds, changes) {
  const written = sent - (skipped?.inFlight ?? 0)
  const until = sentUntil / 1000
  // With a target of 0, no request is due. Late requests of the excluded start are sent after it, so that more than the
  // target is sent.
  const expected = target === 0
    ? 0
    : Math.min(written / target, skipped === null || changes ? Infinity : until + 1 / target)
  // After the last due request, the run may have waited for responses for a long time.
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

/** The metric of a rate: the achieved share of the target. */
const METRICS = {
  rows: {
    'rate ratio': {
      unit: 'share', of: 'rateRatio', highIsGood: true, parts: ['stage', 'scenario'], arrivals: true, covers: ['load']
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ rate }) => rate?.sent > 0 ? { counted: { rateRatio: rate.ratio } } : {}
}

module.exports = { METRICS, derive }
