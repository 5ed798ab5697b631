'use strict'

// Owns what every gate takes for granted: that the server does what it is asked. A server that answers only 500 has good
// percentiles, and not one error.

const { formatInteger } = require('../units')

/** How a gate that fails for it is called. */
const PREMISE = 'not mostly 4xx or 5xx'

/**
 * @param {Record<string, any>} result also of an older version, or of autocannon 9
 * @param {string | null} [request] the name of a request, when a gate is about that one alone
 * @returns {{ actual: number, sentence: string } | null} the share of the answers, when most of them are 4xx or 5xx that nobody
 *   expected; null when not
 */
function findBroken (result, request = null) {
  const { answers, unexpected } = request === null ? ofRun(result) : ofRequest(result, request)
  if (!(unexpected > answers / 2)) return null
  return {
    actual: unexpected / answers,
    sentence: `${formatInteger(unexpected)} of ${formatInteger(answers)} answers${request === null ? '' : ` to ${request}`} were 4xx or 5xx, and no expect allows them`
  }
}

/** @param {Record<string, any>} result */
function ofRun ({ requests, unexpected, '4xx': client = 0, '5xx': server = 0, checks = [] }) {
  // A result that does not say what was expected may have been made with an expectation.
  const expects = checks.some((/** @type {any} */ { name }) => name === 'expect')
  return { answers: requests.total, unexpected: unexpected ?? (expects ? 0 : client + server) }
}

/**
 * @param {Record<string, any>} result
 * @param {string} request
 */
function ofRequest ({ byRequest = {} }, request) {
  const { count = 0, unexpected = 0 } = Object.hasOwn(byRequest, request) ? byRequest[request] : {}
  return { answers: count, unexpected }
}

module.exports = { PREMISE, findBroken }
