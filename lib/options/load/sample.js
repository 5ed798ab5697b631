'use strict'

// Owns how long a sample is where nobody says it: how certain a figure is follows from how much samples differ, and a run of a second can't be told
// from samples of a second.

/** ms */
const USUAL_SAMPLE = 1000

/** How many samples there are at least. */
const LEAST = { until: 10, thresholds: 20 }
/** ms */
const SHORTEST = 100

/**
 * @param {import('../normalize').Values} values
 * @returns {number} ms
 */
function usualSample ({ until, thresholds = [], abortOn = [], amount, duration }) {
  const samples = thresholds.length + abortOn.length > 0 ? LEAST.thresholds : until === undefined ? 1 : LEAST.until
  if (samples === 1) return USUAL_SAMPLE
  // How long that takes is not known.
  return amount === undefined ? Math.round(Math.min(USUAL_SAMPLE, Math.max(SHORTEST, duration * 1000 / samples))) : SHORTEST
}

module.exports = { USUAL_SAMPLE, usualSample }
