'use strict'

// Owns the one sentence that a reader takes away from a result, how good the news is, and what has to be known beside it;
// and whether what the run was held to has failed.

const { plural, formatInteger } = require('../units')
const { errorList, shortages, warnings } = require('./notes')

/**
 * @typedef {object} Headline
 * @property {'good' | 'warning' | 'bad'} level
 * @property {string} sentence
 * @property {string[]} notes one sentence each
 */

/**
 * @param {Record<string, any>} result
 * @returns {Array<{ name: string, all: unknown[], failed: unknown[] }>} what the run was held to; nothing that was not asked for
 */
function judgedOf ({ thresholds = [], checks = [], comparison }) {
  const limits = comparison?.limits ?? []
  // Who says how many checks may fail, allows that.
  const tolerates = thresholds.some((/** @type {any} */ { expression }) => /(^|:\s*)(failed )?checks\s*[<>=]/i.test(expression))
  return [
    { name: 'threshold', all: thresholds, failed: thresholds.filter((/** @type {any} */ { passed }) => passed === false) },
    { name: 'check', all: tolerates ? [] : checks, failed: tolerates ? [] : checks.filter((/** @type {any} */ { failed }) => failed > 0) },
    { name: 'limit', all: limits, failed: limits.filter((/** @type {any} */ { passed }) => !passed) }
  ].filter(({ all }) => all.length > 0)
}

/** @param {Record<string, any>} result */
function hasFailed (result) {
  return judgedOf(result).some(({ failed }) => failed.length > 0)
}

/**
 * @param {Record<string, any>} result
 * @returns {Headline}
 */
function headlineOf (result) {
  const { thresholds = [], errors, errorCodes, mismatches, non2xx, requests } = result
  const facts = [
    ...errors > 0 ? [`${plural(errors, 'error')}: ${errorList(errorCodes)}.`] : [],
    ...mismatches > 0 ? [`${plural(mismatches, 'body', 'bodies')} other than expected.`] : [],
    ...non2xx > 0 ? [`${plural(non2xx, 'answer')} other than 2xx.`] : [],
    ...result.interrupted ? ['The run was ended before its time: this is what was measured until then.'] : []
  ]
  const lost = thresholds.find((/** @type {any} */ { aborted }) => aborted)
  const notes = [
    ...facts,
    ...lost === undefined ? [] : [`The run ended early: ${lost.expression} could not be met any more.`],
    ...shortages(result), ...warnings(result)
  ]
  if (requests.total === 0) return { level: 'bad', sentence: errors > 0 ? 'Nothing answered' : 'The run ended before the first answer', notes }
  const judged = judgedOf(result)
  const failed = judged.filter(({ failed }) => failed.length > 0)
  if (failed.length > 0) return { level: 'bad', sentence: `${capital(failed.map(outOf).join(' and '))} failed`, notes }
  if (thresholds.some((/** @type {any} */ { passed }) => passed === null)) return { level: 'warning', sentence: 'Interrupted: no threshold was judged', notes }
  if (judged.length > 0) return { level: 'good', sentence: `${capital(judged.map(allOf).join(' and '))} passed`, notes }
  if (facts.length > 0) {
    const sentence = facts[0].replace(/:.*|\.$/s, '')
    return { level: 'warning', sentence, notes: notes.filter(note => note !== sentence + '.') }
  }
  if (result.generator.saturated) return { level: 'warning', sentence: 'The generator was the limit', notes }
  return { level: 'good', sentence: `${formatInteger(requests.total)} requests answered, no errors`, notes }
}

/** @param {ReturnType<typeof judgedOf>[number]} judged */
function outOf ({ name, all, failed }) {
  return all.length === 1 ? `the ${name}` : `${formatInteger(failed.length)} of ${plural(all.length, name)}`
}

/** @param {ReturnType<typeof judgedOf>[number]} judged */
function allOf ({ name, all }) {
  return all.length === 1 ? `the ${name}` : `all ${plural(all.length, name)}`
}

/** @param {string} text */
function capital (text) {
  return text[0].toUpperCase() + text.slice(1)
}

module.exports = { headlineOf, hasFailed, judgedOf }
