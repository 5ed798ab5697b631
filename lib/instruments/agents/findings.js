'use strict'

// Finds lost agents, and the load that they did not send.

const { warning } = require('../../core/finding')
const { sumOf } = require('../../core/statistics')

/** The number of lost agents that have a finding each. */
const MOST = 3

/** @param {Record<string, any>} result */
const lostOf = ({ agents = [] }) => agents.filter((/** @type {any} */ { lost }) => lost !== null)

/** @param {any[]} lost @returns {{ share: number, requests: number | null }} how much of the load is missing */
function missingOf (lost) {
  const all = lost.map(({ lost: { missing } }) => missing)
  return {
    share: sumOf(all, ({ share }) => share),
    requests: all.every(({ requests }) => requests !== null) ? sumOf(all, ({ requests }) => requests) : null
  }
}

/**
 * @param {Record<string, any>} result
 * @returns {import('../../findings/findings').Finding[]} one for each lost agent; of many, one for each of the first
 *   ones, and one for all together
 */
function findings (result) {
  const lost = lostOf(result)
  return [
    // Results of older versions have a sentence alone.
    ...lost.slice(0, MOST).map((/** @type {any} */ { name, host, lost: { after, code, missing } }) =>
      warning('lost-agent', { name, host, after, ...code !== undefined && { reason: code }, missing })),
    ...lost.length > MOST
      ? [warning('lost-agents', { lost: lost.length, agents: result.agents.length, missing: missingOf(lost) })]
      : []
  ]
}

module.exports = { findings, lostOf, missingOf }
