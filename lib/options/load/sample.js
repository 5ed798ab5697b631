'use strict'

// The default length of a sample. The certainty of a figure follows from the variation between samples, so a short run
// needs shorter samples than a second.

/** ms */
const USUAL_SAMPLE = 1000

/** How many samples there are at least. */
const LEAST = { until: 10, thresholds: 20 }
/** ms */
const SHORTEST = 100

/** Returns ms. @type {(values: import('../normalize').Values) => number} */
function usualSample ({ until, thresholds = [], abortOn = [], amount, duration }) {
  const samples = thresholds.length + abortOn.length > 0 ? LEAST.thresholds : until === undefined ? 1 : LEAST.until
  if (samples === 1) return USUAL_SAMPLE
  // How long that takes is not known.
  return amount === undefined
    ? Math.round(Math.min(USUAL_SAMPLE, Math.max(SHORTEST, duration * 1000 / samples)))
    : SHORTEST
}

module.exports = { USUAL_SAMPLE, usualSample }
