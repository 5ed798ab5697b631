'use strict'

// Owns the exit codes of the command line, and which of them a run has when several would fit.

const EXIT = Object.freeze({ good: 0, impossible: 1, misuse: 2, failed: 3 })

/** @type {Readonly<Record<string, number>>} the exit code of a run that a signal ended */
const SIGNALS = Object.freeze({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 })

/**
 * The first of these that is so: a signal ended the run (130 …), nothing answered (1), what the run was held to failed (3),
 * an output could not be written (1). So what is missing on a disk never hides a verdict; both are named on stderr.
 * @param {Record<string, any>} result
 * @param {{ signal?: string | null, forever?: boolean }} [run] the signal that came, maybe when all was over, and whether
 *   only a signal could end the run
 * @returns {number} of a run whose outputs are written; see unwritten()
 */
function exitCodeOf (result, { signal = null, forever = false } = {}) {
  if (signal !== null && (forever || result.interrupted !== false)) return SIGNALS[signal]
  const answers = result.requests?.total ?? result.totals.completed
  if (answers === 0) return EXIT.impossible
  // Neither the help nor a wrong flag needs the report.
  const { hasFailed } = require('../report/headline')
  // A gate that could not judge, because one of the merged runs was interrupted, is not green.
  const unjudged = result.thresholds?.some((/** @type {any} */ { passed }) => passed === null) === true
  return unjudged || hasFailed(result) ? EXIT.failed : EXIT.good
}

/**
 * @param {number} code
 * @returns {number} the same, when an output could not be written
 */
function unwritten (code) {
  return code === EXIT.good ? EXIT.impossible : code
}

module.exports = { EXIT, SIGNALS, exitCodeOf, unwritten }
