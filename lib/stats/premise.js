'use strict'

// Owns what every gate takes for granted: that the server does what it is asked. A server that answers only 500 has good
// percentiles, and not one error.

const { formatInteger } = require('../units')

/** How a gate that fails for it is called. */
const PREMISE = 'not mostly 4xx or 5xx'

/**
 * @param {Record<string, any>} result also of an older version, or of autocannon 9
 * @returns {{ actual: number, sentence: string } | null} the share of the answers, when most of them are 4xx or 5xx that nobody
 *   expected; null when not
 */
function findBroken ({ requests, unexpected, '4xx': client = 0, '5xx': server = 0, checks = [] }) {
  // A result that does not say what was expected may have been made with an expectation.
  const count = unexpected ?? (checks.some((/** @type {any} */ { name }) => name === 'expect') ? 0 : client + server)
  if (!(count > requests.total / 2)) return null
  return {
    actual: count / requests.total,
    sentence: `${formatInteger(count)} of ${formatInteger(requests.total)} answers were 4xx or 5xx, and no expect allows them`
  }
}

module.exports = { PREMISE, findBroken }
