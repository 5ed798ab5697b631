'use strict'

// Finds a server that stopped responding before the end of a run. A closed loop then sends nothing more, so the figures
// look as good as those of a server that responded until the end.

const { round } = require('../core/units')

/** A silence must exceed all three: ms, */
const LEAST = 500
/** a share of the run, */
const PART = 0.1
/** and a multiple of the longest response. */
const TIMES = 2

/**
 * @param {import('../record/totals').Totals} totals
 * @param {number} elapsed ms
 * @returns {{ seconds: number, waiting: number } | null} the time from the last sign of a response to the end, and the
 *   number of requests that waited; null if it is too short, or if there was no response at all
 */
function silenceOf (totals, elapsed) {
  const { silentFrom, completed, bailedOut, abandoned, unsent } = totals
  // Bailout reports the end by itself.
  if (silentFrom === null || completed === 0 || bailedOut) return null
  const ms = elapsed - silentFrom
  if (ms < Math.max(LEAST, PART * elapsed) || ms <= TIMES * longestResponse(totals)) return null
  return { seconds: round(ms / 1000), waiting: abandoned + unsent }
}

/**
 * The service time includes requests that timed out or were in flight at the end. They took longer than any response.
 * @param {import('../record/totals').Totals} totals
 * @returns {number} ms
 */
function longestResponse ({ completed, distributions: { serviceTime } }) {
  return serviceTime.percentile(Math.min(100, completed / serviceTime.count * 100))
}

module.exports = { silenceOf }
