'use strict'

// What becomes of an inconclusive judgement: the values of `--inconclusive`.

const { countedNote, countedReason, decidedNote } = require('../words/judgements')

/**
 * @typedef {'pass' | 'fail' | 'exact' | undefined} Inconclusive undefined: it stays what it is, and has an exit code of
 *   its own
 */

/**
 * @typedef {object} Judgement
 * @property {boolean | null} passed
 * @property {string} [reason] of a limit
 * @property {string} [note] of a threshold
 * @property {boolean} [exact] of a threshold whose figure is not certain: whether the figure alone keeps to it
 * @property {'within' | 'beyond'} [indication] of a limit: what one run on each side says
 */

/**
 * `fail` makes a failure of each judgement that could not be made, in every output alike. With `pass` all stay what
 * they are, because nothing was shown and no report may say that it passed; only the exit code is that of a pass.
 * `exact` lets the figure alone decide, as k6 does.
 * @template {Judgement} T
 * @param {T[]} judgements
 * @param {Inconclusive} inconclusive
 * @returns {T[]}
 */
function settle (judgements, inconclusive) {
  return judgements.map(one => {
    if (one.passed !== null) return one
    if (inconclusive === 'exact') {
      return one.exact === undefined ? one : { ...one, passed: one.exact, note: decidedNote(one.note) }
    }
    if (inconclusive !== 'fail') return one
    return {
      ...one,
      passed: false,
      ...one.reason === undefined ? { note: countedNote(one.note) } : { reason: countedReason(one.reason) }
    }
  })
}

module.exports = { settle }
