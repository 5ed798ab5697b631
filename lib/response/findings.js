'use strict'

// Failures that users report, in addition to expectations and checks. Each is counted as a separate check, with the
// first failed response as sample.

const { sampleOf } = require('./inspector')

class Findings {
  /** @param {import('../record/recorder').Recorder} recorder */
  constructor (recorder) {
    /** The recorder counts requests that are sent because of a response. */
    this.counters = recorder
    this.checks = recorder.instruments.checks
  }

  /**
   * @param {string} check
   * @param {{ inspector: import('./inspector').Inspector | null }} step of the request
   * @param {string | null} reason null if it passed
   * @param {import('../checks/response').Source} response
   */
  count (check, { inspector }, reason, response) {
    const tally = this.checks.of(check, inspector?.tally?.name ?? null)
    if (reason === null) tally.passed++
    else tally.fail(reason, () => sampleOf(response))
  }
}

module.exports = { Findings }
