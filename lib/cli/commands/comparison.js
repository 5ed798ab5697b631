'use strict'

// The outcome of a comparison on the command line: inconclusive limits, the printed form and the exit code.

const { printableData, toJson } = require('../../core/foreign-text')
const { comparisonConclusion } = require('../../report/conclusion')
const { badNewsOf, hasFailed, isUnsure } = require('../../report/headline')
const { md } = require('../../report/markdown/markup')
const { comparisonMarkdown } = require('../../report/markdown/verdicts')
const { screenOf, wrapped } = require('../../report/prose')
const { comparisonText } = require('../../report/terminal/verdicts')
const { compare } = require('../../judge/comparison/comparison')
const { settle } = require('../../judge/inconclusive')
const { verdictCode } = require('../exit-code')

/**
 * @typedef {object} Gate
 * @property {import('../../judge/inconclusive').Inconclusive} [inconclusive]
 *
 * @typedef {object} Form
 * @property {boolean} [json]
 * @property {boolean} [markdown]
 * @property {boolean} [githubSummary]
 * @property {string} [title] of the summary
 * @property {{ code: number, signal?: string, reason: string }} [instead] replaces the exit code of the comparison;
 *   reason: why
 */

/**
 * @param {Array<Record<string, any>>} base results
 * @param {Array<Record<string, any>>} next
 * @param {Gate & { failIf?: import('../../judge/comparison/regression').Regression[] }} gate
 */
function compareRuns (base, next, { failIf, inconclusive }) {
  return settled(compare(base, next, failIf), inconclusive)
}

/**
 * @param {import('../../judge/comparison/comparison').Comparison} comparison
 * @param {import('../../judge/inconclusive').Inconclusive} inconclusive
 * @returns {import('../../judge/comparison/comparison').Comparison}
 */
function settled (comparison, inconclusive) {
  return { ...comparison, limits: settle(comparison.limits, inconclusive) }
}

/**
 * @param {import('../../judge/comparison/comparison').Comparison} comparison
 * @param {Gate & Form} how
 * @param {{ stdout: NodeJS.WritableStream, env: NodeJS.ProcessEnv }} context
 * @returns {import('./subcommand').Outcome}
 */
function outcomeOf (
  comparison, { inconclusive, json = false, markdown = false, githubSummary = false, title = 'Comparison', instead },
  { stdout, env }
) {
  const judged = { comparison: printableData(comparison) }
  const shown = judged.comparison
  const code = verdictCode({ failed: hasFailed(judged), unsure: isUnsure(judged) }, inconclusive)
  const screen = screenOf(stdout, env)
  return {
    text: json
      ? toJson(comparison) + '\n'
      : markdown
        ? comparisonMarkdown(shown).text
        // stderr explains a comparison without figures. The last line has the reason of an early end.
        : shown.metrics.length === 0
          ? ''
          : comparisonText(shown, screen, instead === undefined ? [] : ['interrupted-comparison']),
    ...!json && !markdown &&
      { last: wrapped(comparisonConclusion(judged, { code, inconclusive, ...instead }, screen.color), screen) },
    code: instead?.code ?? code,
    complaint: json || markdown ? badNewsOf(judged)?.sentence ?? null : null,
    ...githubSummary && { summary: md`### ${title}\n\n${comparisonMarkdown(shown)}\n`.text }
  }
}

module.exports = { compareRuns, settled, outcomeOf }
