'use strict'

// The last line of a run, a search or a comparison on a terminal: the verdict, the exit code, and its reason.

const { capital, inSentence } = require('../words/sentence')
const { badNewsOf, hasFailed, headlineOf, isUnsure, judgedOf } = require('./headline')
const { comparisonClause, isExplained, isInconclusive, withoutRepeated } = require('./verdicts')

/**
 * The exit codes, except for those of signals.
 * @type {Record<number, { mark: string, paint: 'green' | 'yellow' | 'red', verdict: string }>}
 */
const VERDICTS = {
  0: { mark: '✓', paint: 'green', verdict: 'Passed' },
  1: { mark: '✗', paint: 'red', verdict: 'Failed' },
  3: { mark: '✗', paint: 'red', verdict: 'Failed' },
  4: { mark: '?', paint: 'yellow', verdict: 'Inconclusive' }
}

/**
 * Exit code 1 does not depend on --inconclusive: there was no response, or an output could not be written.
 * @param {number} code
 * @returns {boolean} whether it may result from an inconclusive verdict and --inconclusive
 */
const isChosen = code => code === 0 || code === 3

/**
 * @param {Record<string, any>} result whose text is printable
 * @param {{ code: number, signal?: string | null, by?: string | null, inconclusive?: string, written?: boolean }} end
 *   `signal`: the signal that ended the run, `by`: its sender, `inconclusive`: the option, `written`: whether every
 *   output was written
 * @param {import('./table').Colors} color
 * @returns {string} one line
 */
function conclusion (result, { code, signal = null, by = signal, inconclusive, written = true }, color) {
  const { level, ...head } = headlineOf(result)
  // The first line of the report has the figures.
  const sentence = inSentence(head.sentence)
  const reason = inSentence(head.reason ?? head.sentence)
  if (VERDICTS[code] === undefined) {
    return color.yellow(`! Ended by ${by}, exit code ${code}${reason === '' ? '' : `: ${reason}`}`)
  }
  if (code === 1 && !written) {
    return color.red(`✗ Failed, exit code 1: an output could not be written. ${head.sentence}`)
  }
  const { mark, paint, verdict } = VERDICTS[code]
  if (isChosen(code) && isUnsure(result) && !hasFailed(result)) {
    return color[paint](`? Inconclusive, exit code ${code} by --inconclusive ${inconclusive}: ${sentence}`)
  }
  if (code === 0 && result.search !== undefined) {
    const what = `${result.search.failBelow === undefined ? 'Done' : 'Passed'}, exit code 0: ${reason}`
    return level === 'good' ? color.green(`✓ ${what}`) : color.yellow(`! ${what}`)
  }
  if (code === 0 && judgedOf(result).length > 0 && level !== 'good') {
    return color.yellow(`! Passed, exit code 0: ${sentence}`)
  }
  if (code !== 0 || judgedOf(result).length > 0) return color[paint](`${mark} ${verdict}, exit code ${code}: ${reason}`)
  return level === 'good'
    ? color.green(`✓ Done, exit code 0: ${reason}`)
    : color.yellow(`! Done, exit code 0: no threshold was given. ${capital(reason)}`.trimEnd())
}

/**
 * @param {Record<string, any>} judged with a comparison whose text is printable
 * @param {{ code: number, signal?: string | null, inconclusive?: string, reason?: string }} end `reason`: of the code,
 *   if it does not follow from the comparison
 * @param {import('./table').Colors} color
 * @returns {string} one line
 */
function comparisonConclusion (judged, {
  code, signal = null, inconclusive, reason = badNewsOf({ comparison: withoutRepeated(judged.comparison) })?.sentence
}, color) {
  const { limits, metrics = [] } = judged.comparison
  const isNoSuccess = metrics.some((/** @type {any} */ { verdict }) => verdict === 'worse') ||
    (metrics.length > 0 && isInconclusive(judged.comparison))
  if (code === 0 && limits.length === 0 && isNoSuccess) {
    return color.yellow('! Done, exit code 0, because no limit was given (--fail-if): ' +
      (isExplained(judged.comparison) ? 'inconclusive' : comparisonClause(judged.comparison)))
  }
  const sentence = reason ?? (limits.length === 0
    ? 'no limit was given (--fail-if)'
    : `${limits.length === 1 ? 'the limit is' : `all ${limits.length} limits are`} kept`)
  if (VERDICTS[code] === undefined) return color.yellow(`! Ended by ${signal}, exit code ${code}: ${sentence}`)
  const { mark, paint, verdict } = VERDICTS[code]
  if (isChosen(code) && isUnsure(judged) && !hasFailed(judged)) {
    return color[paint](`? Inconclusive, exit code ${code} by --inconclusive ${inconclusive}: ${sentence}`)
  }
  return color[paint](`${mark} ${code === 0 && limits.length === 0 ? 'Done' : verdict}, exit code ${code}: ${sentence}`)
}

module.exports = { comparisonConclusion, conclusion }
