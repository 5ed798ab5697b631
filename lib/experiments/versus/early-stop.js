'use strict'

// When a comparison is certain enough to need no more rounds. A test after every round finds a difference in the end,
// unless early tests are far stricter than the last one: three standard errors, after which the last look may stay at
// 95 % (Haybittle, "Repeated Assessment of Results in Clinical Trials of Cancer Treatment", 1971; Peto et al., "Design
// and Analysis of Randomized Clinical Trials", 1976).

/** The confidence of early looks: compare(base, next, failIf, { confidence: EARLY_CONFIDENCE }). */
const EARLY_CONFIDENCE = 0.997

/** This number of runs of each side shows their variance. */
const LEAST_ROUNDS = 3

/**
 * @param {import('../../judge/comparison/comparison').Comparison} comparison at EARLY_CONFIDENCE
 * @returns {boolean} whether more rounds would change nothing: a limit has failed, or all have passed; never without
 *   limits
 */
function isCertain ({ confidence, runs, limits }) {
  if (confidence < EARLY_CONFIDENCE || Math.min(runs.base, runs.new) < LEAST_ROUNDS) return false
  return limits.length > 0 &&
    (limits.some(({ passed }) => passed === false) || limits.every(({ passed }) => passed === true))
}

module.exports = { EARLY_CONFIDENCE, LEAST_ROUNDS, isCertain }
