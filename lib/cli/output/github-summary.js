'use strict'

// The job summary of a GitHub Action: whether it is writable, and the text that a run appends.

const { appendFileSync } = require('node:fs')
const { printableData } = require('../../core/foreign-text')

/** Returns the reasons why the summary is not writable. @type {(env: NodeJS.ProcessEnv) => string[]} */
function summaryProblems ({ GITHUB_STEP_SUMMARY: file }) {
  if (!file) {
    return [
      '--github-summary: the environment variable GITHUB_STEP_SUMMARY is not set; it names the file in a GitHub Action'
    ]
  }
  try {
    appendFileSync(file, '')
    return []
  } catch (error) {
    return ['--github-summary: could not write to the file that GITHUB_STEP_SUMMARY names: ' +
      `${/** @type {Error} */ (error).message}`]
  }
}

/**  @type {(result: Record<string, any>) => string} */
function summaryOf (result) {
  return require('../../report/markdown/result').toSummary(printableData(result)) + '\n'
}

module.exports = { summaryProblems, summaryOf }
