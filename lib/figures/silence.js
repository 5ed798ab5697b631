'use strict'

// Owns whether a server fell silent before the end of a run. A closed loop sends no more then, so the figures look as good as those of a
// server that answered until the end.

const { formatDuration, plural, round } = require('../units')

/** The shortest silence that is named, ms, */
const LEAST = 500
/** as a part of the run, */
const PART = 0.1
/** and in multiples of the longest answer. It has to be as long as each of the three says. */
const TIMES = 2

/**
 * @param {import('../record/totals').Totals} totals
 * @param {number} elapsed ms
 * @returns {{ seconds: number, waiting: number } | null} how long before the end the last sign of an answer came, and how many requests
 *   waited then; null when that is nothing to speak of, or nothing was answered at all
 */
function silenceOf (totals, elapsed) {
  const { silentFrom, completed, bailedOut, abandoned, unsent } = totals
  // Bailout ends a run when nothing has come for a while, and says so.
  if (silentFrom === null || completed === 0 || bailedOut) return null
  const ms = elapsed - silentFrom
  if (ms < Math.max(LEAST, PART * elapsed) || ms <= TIMES * longestAnswer(totals)) return null
  return { seconds: round(ms / 1000), waiting: abandoned + unsent }
}

/**
 * What timed out, or was in flight at the end, is in the service time as well, and took longer than what was answered.
 * @param {import('../record/totals').Totals} totals
 * @returns {number} ms
 */
function longestAnswer ({ completed, distributions: { serviceTime } }) {
  return serviceTime.percentile(Math.min(100, completed / serviceTime.count * 100))
}

/**
 * @param {Record<string, any>} result also of an older version, or of autocannon 9
 * @returns {string | null} that the server has fallen silent, without a full stop; null when it has not
 */
function silenceSentence ({ silence, duration }) {
  if (silence === undefined) return null
  const [last, all] = [silence.seconds, duration].map(seconds => formatDuration(Number(seconds.toFixed(1))))
  const waiting = silence.waiting === 0 ? '' : `; ${plural(silence.waiting, 'request was', 'requests were')} waiting`
  return `No response came in the last ${last} of ${all}${waiting}`
}

module.exports = { silenceSentence, silenceOf }
