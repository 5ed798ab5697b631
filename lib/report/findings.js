'use strict'

// Owns which notes a report has, in which order: a sentence for each finding, and for what the sections on proxies, agents, stages and iterations found.

const { findingsOf } = require('../findings/findings')
const { loadGeneratorDelay } = require('../findings/rate')
const { UNTIL_THE_END } = require('../verdict/premise')
const { noteOf } = require('../words/findings')
const { causeWords } = require('../words/rate')

/** @typedef {import('../words/sentence').Note & Omit<import('../findings/findings').Finding, 'code'> & { code: string | null }} Noted a sentence, and the finding that it is about; code null without one */

/**
 * @param {Record<string, any>} result
 * @param {Parameters<typeof findingsOf>[1]} [groups]
 * @returns {Noted[]} without what a failed threshold says
 */
function notesOf (result, groups) {
  const { thresholds = [] } = result
  return findingsOf(result, groups).filter(finding => !isSaid(finding, thresholds)).map(finding => ({ ...noteOf(finding), ...finding }))
}

/**
 * @param {import('../findings/findings').Finding} finding
 * @param {any[]} thresholds
 * @returns {boolean} whether the note of a threshold has its sentence
 */
function isSaid ({ code }, thresholds) {
  if (code === 'silence') return thresholds.some(({ expression, implied }) => implied && expression === UNTIL_THE_END)
  return code === 'load-generator' && thresholds.some(({ metric, actual, note }) => metric === 'generator' && actual !== null && note !== undefined)
}

/**
 * @param {string[]} sentences
 * @returns {Noted[]}
 */
function plainNotes (sentences) {
  return sentences.map(text => ({ text, lead: null, rest: text, code: null, severity: 'warning', facts: {} }))
}

/**
 * @param {Record<string, any>} result
 * @returns {Noted[]} what to try when a run did not measure what somebody wanted to know
 */
function hints (result) {
  return notesOf(result, ['hints'])
}

/**
 * @param {Record<string, any>} result
 * @returns {Noted[]} what the machine ran out of, and why the figures may not say what they seem to say
 */
function warnings (result) {
  const { agents, byStage, rounds, proxy, options } = result
  // Loaded by those who have some: start-up time.
  return [
    ...notesOf(result, ['shortages']),
    ...agents === undefined ? [] : plainNotes(require('../instruments/agents/report').lossNotes(result)),
    ...notesOf(result, ['rate']),
    ...byStage === undefined ? [] : plainNotes(require('../instruments/stages/report').stageNotes(result, holdUpOf)),
    ...rounds === undefined ? [] : plainNotes(require('../instruments/rounds/report').roundNotes(result)),
    ...notesOf(result, ['connections']),
    ...proxy === undefined && options?.proxy === undefined ? [] : plainNotes(require('../instruments/proxies/report').proxyNotes(result)),
    ...notesOf(result, ['course', 'loadGenerator'])
  ]
}

/** @type {import('../instruments/stages/report').HoldUp} */
function holdUpOf (part, share) {
  const delay = loadGeneratorDelay(part, share)
  return delay === null ? null : causeWords(delay)
}

/**
 * @param {ReadonlyArray<Noted>} notes
 * @param {string | null} code of the finding whose first sentence is the verdict
 * @returns {string[]} what is left to say
 */
function textsBeside (notes, code) {
  return notes.map(note => code !== null && note.code === code ? note.rest : note.text).filter(text => text !== '')
}

module.exports = { hints, notesOf, plainNotes, textsBeside, warnings }
