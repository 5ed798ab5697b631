'use strict'

// What becomes of an inconclusive judgement: the values of `--inconclusive`.

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
 * @property {boolean} [exact] of a threshold whose figure is not certain: whether the figure alone keeps to it
 * @property {'within' | 'beyond'} [indication] of a limit: by one run on each side
 */

/**
 * `fail` makes each inconclusive judgement a failure, in every output. With `pass` they stay inconclusive, because
 * nothing was proved; only the exit code is that of a pass. `exact` lets the figure alone decide, as k6 does.
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
