'use strict'

// Finds lost agents, and the load that they did not send.

/** The limit of lost agents with a sentence each. */
const MOST = 3

/** @param {Record<string, any>} result */
const lostOf = ({ agents = [] }) => agents.filter((/** @type {any} */ { lost }) => lost !== null)

/** @param {any[]} lost @returns {{ share: number, requests: number | null }} how much of the load is missing */
function missingOf (lost) {
  const sum = (/** @type {'share' | 'requests'} */ what) =>
    lost.reduce((sum, { lost: { missing } }) => sum + missing[what], 0)
  return {
    share: sum('share'),
    requests: lost.every(({ lost: { missing } }) => missing.requests !== null) ? sum('requests') : null
  }
}

/**
 * @param {Record<string, any>} result
 * @returns {import('../../findings/findings').Finding[]} one for each lost agent, of many for the first ones and one
 *   for all
 */
function findings (result) {
  const lost = lostOf(result)
  return [
    ...lost.slice(0, MOST).map((/** @type {any} */ { name, host, lost: { after, code, missing } }) => ({
      code: 'lost-agent',
      severity: /** @type {const} */ ('warning'),
      // Results of older versions have a sentence alone.
      facts: { name, host, after, ...code !== undefined && { reason: code }, missing }
    })),
    ...lost.length > MOST
      ? [{
          code: 'lost-agents',
          severity: /** @type {const} */ ('warning'),
          facts: { lost: lost.length, agents: result.agents.length, missing: missingOf(lost) }
        }]
      : []
  ]
}

module.exports = { findings, lostOf, missingOf }
