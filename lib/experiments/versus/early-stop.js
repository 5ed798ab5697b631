'use strict'

// When a comparison is certain enough to need no more runs. With a test after every pair of runs, a difference is found
// sooner or later, unless early tests are far stricter than the last one: with three standard errors, the last one may
// stay at 95 % (Haybittle, "Repeated Assessment of Results in Clinical Trials of Cancer Treatment", 1971; Peto et al.,
// "Design and Analysis of Randomized Clinical Trials", 1976).

/** The confidence of tests before the last pair of runs. */
const EARLY_CONFIDENCE = 0.997

/** The least runs of each side, for an estimate of their variance. */
const LEAST_RUNS = 3

/**
 * @param {import('../../judge/comparison/comparison').Comparison} comparison at EARLY_CONFIDENCE
 * @returns {boolean} whether a limit has failed, or all have passed; false without limits
 */
function isCertain ({ confidence, runs, limits }) {
  if (confidence < EARLY_CONFIDENCE || Math.min(runs.base, runs.new) < LEAST_RUNS) return false
  return limits.length > 0 &&
    (limits.some(({ passed }) => passed === false) || limits.every(({ passed }) => passed === true))
}

module.exports = { EARLY_CONFIDENCE, LEAST_RUNS, isCertain }
