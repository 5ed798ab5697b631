'use strict'

// The longest time of a search. Without it, a search would not end on a machine or server without a certain verdict.

const { BETWEEN } = require('./search')
const { MOST_LENGTHS } = require('./trial')

/** How often an inconclusive load is measured (search.js). */
const ATTEMPTS = 2
/** The highest load that held and the lowest that failed are measured again at the end. */
const ENDS = 2

/**
 * @param {{ from: number, to: number, precision: number, stepMs: number }} goal
 * @returns {number} ms: enough for all attempts of the longest length, at each load of the longest search
 */
function longestSearch ({ from, to, precision, stepMs }) {
  const doublings = 1 + Math.ceil(Math.log2(to / from))
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.LN2 / Math.log1p(precision * BETWEEN))))
  return (doublings + halvings + ENDS) * ATTEMPTS * MOST_LENGTHS * stepMs
}

module.exports = { longestSearch }
