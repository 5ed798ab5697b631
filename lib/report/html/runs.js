'use strict'

// A live page lists the runs that have ended, with their outcomes.

const { headlineOf } = require('../headline')
const { countedIn } = require('../../core/counted')
const { formatInteger, formatLatency, formatRate } = require('../../core/units')
const { html } = require('./escape')
const { section, table } = require('./sections')

/** The number of runs that are shown. */
const MOST = 50

/** @typedef {{ name: string, level: string, sentence: string, cells: string[] }} Run one that has ended */

/** @param {string} name of the run @param {Record<string, any>} result @returns {Run} */
function runOf (name, result) {
  const { level, sentence } = headlineOf(result)
  const { requests, latency, failures } = result
  return {
    name,
    level,
    sentence,
    cells: [
      `${formatRate(requests.average)} ${countedIn(result).rate}`,
      formatLatency(latency.p50),
      formatLatency(latency.p99),
      formatInteger(failures)
    ]
  }
}

/** The signs. @type {Record<string, string>} */
const SIGNS = { good: '✓', warning: '!', bad: '✗' }

/**
 * @param {Run[]} runs in the order in which they ended
 * @param {number} ended the number of all runs that have ended
 */
function runsSection (runs, ended) {
  if (runs.length === 0) return false
  const shown = [...runs].reverse()
  const title = 'Runs that have ended'
  const heads = ['Run', '>Rate', '>p50', '>p99', '>Failures', 'What it came to']
  const rows = shown.map(({ name, level, sentence, cells }) => [
    html`<strong>${name}</strong>`,
    ...cells,
    html`<span class="mark ${level}" aria-hidden="true">${SIGNS[level]}</span> ${sentence}`
  ])
  const rest = ended > shown.length &&
    html`<p class="note">The last ${formatInteger(shown.length)} of ${formatInteger(ended)}.</p>`
  return section('runs', title, table(title, heads, rows, 'wide'), rest)
}

module.exports = { MOST, runOf, runsSection }
