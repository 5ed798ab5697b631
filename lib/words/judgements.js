'use strict'

// The sentence of each reason of a verdict (docs/findings.md): on a threshold, a precision, a limit of a comparison,
// and the comparison itself.

const { REQUESTS } = require('../core/counted')
const { NOTES, REASONS } = require('./comparison')
const { PRECISION } = require('./precision')
const { SEARCH } = require('./search')
const { THRESHOLDS } = require('./thresholds')

/**
 * @typedef {{ code: string, facts: Record<string, any> }} Reason `facts.because`: a further reason, its cause;
 *   `facts.of`: the side of a comparison
 * @typedef {import('../core/counted').Counted} Counted
 * @typedef {(facts: any, counted: Counted) => string} Words returns the sentence without a full stop; `facts.because`
 *   is a sentence already
 */

/** The sentences by code. @type {Record<string, Words>} */
const WORDS = { ...NOTES, ...REASONS, ...THRESHOLDS, ...PRECISION, ...SEARCH }

/** The effect of --inconclusive on a verdict. */
const COUNTED = 'which --inconclusive fail counts as failed'

/** @param {string} [note] of a threshold */
const countedNote = (note = 'it was not judged') => `${note}, ${COUNTED}`

/** @param {string} reason of a limit */
const countedReason = reason => `inconclusive, ${COUNTED}: ${reason}`

/** @param {string | undefined} note of a threshold */
const decidedNote = note => `${note}; the figure alone decides (--inconclusive exact)`

/** @param {Reason} reason @param {import('../core/counted').Counted} [counted] @returns {string} without a full stop */
function sentenceOf ({ code, facts: { because, of, ...facts } }, counted = REQUESTS) {
  const sentence = WORDS[code]({ ...facts, because: because && sentenceOf(because, counted) }, counted)
  return of === undefined ? sentence : `${of}: ${sentence}`
}

module.exports = { WORDS, countedNote, countedReason, decidedNote, sentenceOf }
