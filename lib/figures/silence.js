'use strict'

// Finds a server that stopped responding before the end of a run. A closed loop sends no more then, so the figures look
// as good as those of a server that responded until the end.

const { round } = require('../core/units')

/** The shortest silence that is named, ms, */
const LEAST = 500
/** as a part of the run, */
const PART = 0.1
/** and in multiples of the longest response. All three must be exceeded. */
const TIMES = 2

/**
 * @param {import('../record/totals').Totals} totals
 * @param {number} elapsed ms
 * @returns {{ seconds: number, waiting: number } | null} how long before the end the last sign of a response came, and
 *   how many requests waited then; null when that is nothing to speak of, or nothing was completed at all
 */
function silenceOf (totals, elapsed) {
  const { silentFrom, completed, bailedOut, abandoned, unsent } = totals
  // A run that ends by bailout reports silence by itself.
  if (silentFrom === null || completed === 0 || bailedOut) return null
  const ms = elapsed - silentFrom
  if (ms < Math.max(LEAST, PART * elapsed) || ms <= TIMES * longestResponse(totals)) return null
  return { seconds: round(ms / 1000), waiting: abandoned + unsent }
}

/**
 * Requests that timed out, or were in flight at the end, are in the service time as well, and took longer than any
 * response.
 * @param {import('../record/totals').Totals} totals
 * @returns {number} ms
 */
function longestResponse ({ completed, distributions: { serviceTime } }) {
  return serviceTime.percentile(Math.min(100, completed / serviceTime.count * 100))
}

module.exports = { silenceOf }
