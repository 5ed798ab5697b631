'use strict'

// Owns the summary of a GitHub Action: whether it can be written, and what it says of a run.

const { appendFileSync } = require('node:fs')
const { printableData } = require('../foreign-text')
const { formatInteger, formatSeconds, plural } = require('../units')
const { latencyOf } = require('../report/figures')
const { text } = require('../report/markdown-text')
const { thresholdMarkdown, comparisonMarkdown } = require('../report/verdicts')

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} why nothing can be appended to the summary
 */
function summaryProblems ({ GITHUB_STEP_SUMMARY: file }) {
  if (!file) return ['--github-summary: the environment variable GITHUB_STEP_SUMMARY is not set; it names the file in a GitHub Action']
  try {
    appendFileSync(file, '')
    return []
  } catch (error) {
    return [`--github-summary: could not write to the file that GITHUB_STEP_SUMMARY names: ${/** @type {Error} */ (error).message}`]
  }
}

/**
 * @param {Record<string, any>} given a result
 * @returns {string}
 */
function verdictMarkdown (given) {
  const result = printableData(given)
  const { title, url, requests, duration, latency, errors, non2xx, thresholds, comparison } = result
  const figures = [
    `${formatInteger(requests.average)} requests/s`,
    `p50 ${latencyOf(latency, 'p50')}, p99 ${latencyOf(latency, 'p99')}`,
    plural(errors, 'error'),
    `${formatInteger(non2xx)} non-2xx`,
    `${plural(requests.total, 'answer')} in ${formatSeconds(duration)}`
  ]
  return [
    `### ${text(title ?? [url].flat().join(', '))}\n\n${figures.join(' · ')}\n`,
    ...thresholds.length > 0 ? [thresholdMarkdown(result)] : [],
    ...comparison !== undefined ? [comparisonMarkdown(comparison)] : []
  ].join('\n')
}

module.exports = { summaryProblems, verdictMarkdown }
