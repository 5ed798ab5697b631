'use strict'

// Owns what users find in answers beside expectations and checks: counted as checks of their own, with the first answer
// that failed as sample.

const { sampleOf } = require('./examiner')

class Findings {
  /** @param {import('../record/recorder').Recorder} recorder */
  constructor (recorder) {
    /** Where requests are counted that are sent because of an answer. */
    this.counters = recorder
    this.checks = recorder.instruments.checks
  }

  /**
   * @param {string} check
   * @param {{ examiner: import('./examiner').Examiner | null }} step of the request
   * @param {string | null} reason null when it passed
   * @param {import('../checks/response').Source} answer
   */
  count (check, { examiner }, reason, answer) {
    const tally = this.checks.of(check, examiner?.tally?.name ?? null)
    if (reason === null) tally.passed++
    else tally.fail(reason, () => sampleOf(answer))
  }
}

module.exports = { Findings }
