'use strict'

// Whether an inconclusive judgement counts as passed or failed: the values of `--inconclusive`.

const { countedNote, countedReason, decidedNote } = require('../words/judgements')

/**
 * @typedef {'pass' | 'fail' | 'exact' | undefined} Inconclusive undefined: it stays inconclusive, with its own exit
 *   code
 */

/**
 * @typedef {object} Judgement
 * @property {boolean | null} passed
 * @property {string} [reason] of a limit
 * @property {string} [note] of a threshold
 * @property {boolean} [exact] whether the figure alone meets the threshold; only of an inconclusive one
 * @property {'within' | 'beyond'} [indication] of a limit, from one run on each side
 */

/**
 * `fail` makes each inconclusive judgement a failure, in every output. With `pass` they stay inconclusive, because
 * nothing was proved; only the exit code changes. With `exact` the figure alone decides, as in k6.
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
