'use strict'

// The notes of a report: a sentence for each finding, in the order of reading.

const { findingsOf } = require('../findings/findings')
const { noteOf } = require('../words/findings')

/**
 * @typedef {import('../words/sentence').Note & Omit<import('../findings/findings').Finding, 'code'> &
 *   { code: string | null }} Noted a sentence and its finding; `code`: null without one
 */

/**
 * @param {Record<string, any>} result
 * @param {Parameters<typeof findingsOf>[1]} [groups]
 * @returns {Noted[]} without findings whose sentence is the note of a threshold
 */
function notesOf (result, groups) {
  const { thresholds = [] } = result
  return findingsOf(result, groups).filter(finding => !isNoteOf(finding, thresholds))
    .map(finding => ({ ...noteOf(finding, result), ...finding }))
}

/**
 * @param {import('../findings/findings').Finding} finding
 * @param {any[]} thresholds
 * @returns {boolean} whether its sentence is the note of a threshold
 */
function isNoteOf ({ code }, thresholds) {
  if (code === 'silence') return thresholds.some(({ finding }) => finding?.code === 'silence')
  return code === 'load-generator' &&
    thresholds.some(({ metric, actual, note }) => metric === 'generator' && actual !== null && note !== undefined)
}

/** @param {string[]} sentences @param {string | null} [code] @returns {Noted[]} */
function plainNotes (sentences, code = null) {
  return sentences.map(text => ({ text, lead: null, rest: text, code, severity: 'warning', facts: {} }))
}

/** @param {Record<string, any>} result @returns {Noted[]} */
function hints (result) {
  return notesOf(result, ['hints'])
}

/**
 * @param {Record<string, any>} result
 * @returns {Noted[]} exhausted resources of the machine, and reasons why the figures may be misleading
 */
function warnings (result) {
  return notesOf(result, [
    'shortages', 'end', 'rate', 'parts', 'connections', 'times', 'course', 'loadGenerator', 'last'
  ])
}

/**
 * @param {ReadonlyArray<Noted>} notes
 * @param {string | null} code of the finding whose first sentence is the verdict of the report
 * @returns {string[]} the notes without that sentence
 */
function textsBeside (notes, code) {
  return notes.map(note => code !== null && note.code === code ? note.rest : note.text).filter(text => text !== '')
}

module.exports = { hints, notesOf, plainNotes, textsBeside, warnings }
