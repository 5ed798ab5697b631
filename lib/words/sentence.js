'use strict'

// The form of a note: its first sentence, which may become the verdict of a report, and the rest.

/**
 * @typedef {object} Note
 * @property {string} text all of it
 * @property {string | null} lead its first sentence without a full stop; null for none
 * @property {string} rest what remains if the lead is shown elsewhere; empty for nothing
 */

/** @param {string} text @returns {Note} */
function whole (text) {
  return { text, lead: null, rest: text }
}

/**
 * @param {string} lead without a full stop
 * @param {string} [more] sentences after it
 * @returns {Note}
 */
function led (lead, more = '') {
  return { text: more === '' ? `${lead}.` : `${lead}. ${more}`, lead, rest: more }
}

/**
 * @param {string} lead
 * @param {string | null} list sentences; null for none
 * @returns {Note} whose lead is never shown without the list
 */
function listed (lead, list) {
  const text = list === null ? `${lead}.` : `${lead}: ${list}.`
  return { text, lead, rest: list === null ? '' : text }
}

/** @param {string} clause @returns {string} with a capital letter, as a sentence begins */
const capital = clause => clause.slice(0, 1).toUpperCase() + clause.slice(1)

/** @param {string} sentence @returns {string} as it continues another one; names keep their capital letters */
function inSentence (sentence) {
  return sentence.replace(/^(?:The|All|Most|No|Nothing)\b/, word => word.toLowerCase())
}

/** @param {string} sentence @returns {string} as a clause of another one */
const withoutStop = sentence => sentence.replace(/\.$/, '')

module.exports = { capital, inSentence, led, listed, whole, withoutStop }
