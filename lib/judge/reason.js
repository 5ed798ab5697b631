'use strict'

// The reason of a verdict: a code and facts, and the sentence that is made of them.

const { sentenceOf } = require('../words/judgements')

/**
 * @typedef {import('../words/judgements').Reason} Reason
 * @typedef {import('../findings/findings').Finding} Finding
 */

/** @param {boolean | null} passed @param {Reason} reason @returns {Finding} */
function findingOf (passed, { code, facts }) {
  return { code, severity: passed === null ? 'warning' : passed ? 'info' : 'error', facts }
}

/**
 * @param {boolean | null} passed
 * @param {Reason | null | undefined} reason
 * @param {import('../core/counted').Counted} [counted]
 * @param {string} [sentence] where the facts do not make it: one that the result has
 * @returns {{ note?: string, finding?: Finding }} its part of a judgement
 */
function explained (passed, reason, counted, sentence) {
  return reason == null ? {} : { note: sentence ?? sentenceOf(reason, counted), finding: findingOf(passed, reason) }
}

module.exports = { explained, findingOf }
