'use strict'

// The agents in a result, each with its share of the requests; and the verdict on all load generators, if only some of
// the agents kept up.

const { sumOf } = require('../../core/statistics')
const { causeOnAgents, troubleOnAgents } = require('../../words/load-generator')
const { DECIDES, NAMED } = require('../generator/cause')
const { healthOf } = require('../generator/health')
const { rankOf, spoils, troubleOf, worstOf } = require('../generator/verdict')
const { rounded } = require('../../figures/parts')
const { oneLine } = require('../../core/foreign-text')
const { round } = require('../../core/units')

/**
 * @typedef {object} AgentOutcome an agent in a raw result
 * @property {string} name
 * @property {string} host
 * @property {number} cores
 * @property {string} node version of Node.js
 * @property {number} workers how many generators it had
 * @property {number} connections
 * @property {{ sent: number, total: number }} requests that it reported; `total`: those with a complete response
 * @property {import('../generator/health').GeneratorHealth} health of its generators
 * @property {number | null} skew how much later than the common start it began, ms; null if it never began
 * @property {number} clockError the error of its clock relative to the others, ms
 * @property {Loss | null} lost
 *
 * @typedef {object} Loss
 * @property {number} after seconds from the start of the load to its last report
 * @property {'silent' | 'left' | 'failed'} [code] raw results of older versions have none
 * @property {string} reason as a sentence, from the agent if it gave one
 * @property {{ share: number, requests: number | null }} missing the share of the whole load that it did not send, and
 *   the number of requests; null if that is unknown
 */

/** The advice if load generators are overloaded. */
const MORE = 'more agents'
/** The number of agents that a sentence names. */
const MOST_NAMES = 2
/** Characters of the name of an agent. */
const LONGEST_NAME = 60

/** @param {number} share */
const part = share => Number(share.toPrecision(4))

/**
 * @param {unknown} _
 * @param {import('../../figures/result').Context} context
 * @returns {{ agents: Array<Record<string, any>> }} as documented in index.d.ts
 */
function derive (_, { outcome: { agents, totals: { sent: all } } }) {
  const shown = /** @type {AgentOutcome[]} */ (agents).map(({ health, skew, clockError, lost, ...agent }) => ({
    ...agent,
    share: all === 0 ? 0 : part(agent.requests.sent / all),
    generator: {
      ...rounded({
        cpu: health.cpu,
        cpuTotal: health.cpuTotal,
        eventLoopUtilization: health.eventLoopUtilization,
        stalledMs: health.stalledMs
      }),
      verdict: health.verdict,
      reason: health.reason,
      cause: health.cause
    },
    skew: skew === null ? null : round(skew),
    clockError: round(clockError),
    lost: lost === null
      ? null
      : {
          after: round(lost.after),
          ...lost.code !== undefined && { code: lost.code },
          reason: lost.reason,
          missing: { share: part(lost.missing.share), requests: lost.missing.requests }
        }
  }))
  return { agents: shown }
}

/**
 * @param {ReadonlyArray<AgentOutcome>} agents
 * @param {import('../../record/usage').Usage[]} usages of all generators
 * @param {import('../../record/usage').Lag | undefined} lag
 * @param {import('../../figures/series').Point[]} series
 * @param {import('../generator/cause').Circumstances} [circumstances]
 * @returns {import('../generator/health').GeneratorHealth} of all load generators. If some agents are worse, they are
 *   named, and their share of the load decides the verdict
 */
function healthOfAll (agents, usages, lag, series, circumstances = { hasHooks: true }) {
  const health = healthOf(usages, lag, series, MORE, circumstances)
  const judged = verdictAmong(agents.filter(({ workers }) => workers > 0), agents, health, circumstances)
  return { ...health, ...judged, saturated: judged.verdict === 'saturated' }
}

/**
 * @param {ReadonlyArray<AgentOutcome>} some
 * @param {ReadonlyArray<AgentOutcome>} all
 * @param {Pick<import('../generator/health').GeneratorHealth, 'verdict' | 'reason' | 'cause'>} health of all load
 *   generators together
 * @param {import('../generator/cause').Circumstances} circumstances
 * @returns {Pick<import('../generator/health').GeneratorHealth, 'verdict' | 'reason' | 'cause'>}
 */
function verdictAmong (some, all, health, circumstances) {
  const { verdict } = worstOf(some.map(({ health: { verdict } }) => ({ verdict, reason: null })))
  const worst = some.filter(({ health }) => health.verdict === verdict)
  // A part of the run may have been worse than the whole.
  if (some.length === 0 || worst.length === all.length || rankOf(verdict) < 1) {
    return some.length === all.length ? health : { verdict, reason: null, cause: null }
  }
  if (some.length === all.length && rankOf(health.verdict) > rankOf(verdict)) return health
  const load = sumOf(worst, agent => loadOf(agent, all))
  // The worst agents sent too few requests to change a percentile.
  if (spoils(verdict) && load < NAMED) {
    return verdictAmong(some.filter(agent => !worst.includes(agent)), all, health, circumstances)
  }
  const [{ health: { reason, why, cpu } }] = worst
  const where = whereOf(worst, all)
  if (spoils(verdict) && load < DECIDES) {
    const trouble = /** @type {import('../generator/verdict').Trouble} */ (troubleOf(worst[0].health))
    return { verdict: 'busy', reason, cause: troubleOnAgents(where, trouble, cpu, circumstances) }
  }
  return { verdict, reason, cause: why == null ? null : causeOnAgents(where, why) }
}

/**
 * @param {AgentOutcome} agent
 * @param {ReadonlyArray<AgentOutcome>} all
 * @returns {number} its share of the requests or of the connections, whichever is higher: an overloaded agent sends
 *   less than its share
 */
function loadOf ({ requests, connections }, all) {
  const [sent, connected] = [sumOf(all, one => one.requests.sent), sumOf(all, one => one.connections)]
  return Math.max(sent === 0 ? 0 : requests.sent / sent, connected === 0 ? 0 : connections / connected)
}

/** @param {ReadonlyArray<AgentOutcome>} agents @param {ReadonlyArray<AgentOutcome>} all */
function whereOf (agents, all) {
  // Connections that listen only send nothing.
  const isSent = all.some(({ requests }) => requests.sent > 0)
  const sum = (/** @type {ReadonlyArray<AgentOutcome>} */ list) =>
    sumOf(list, ({ requests, connections }) => isSent ? requests.sent : connections)
  const names = agents.slice(0, MOST_NAMES)
    .map(({ name, host }) => oneLine(name === host ? name : `${name} (${host})`, LONGEST_NAME))
  return { agents: names, more: agents.length - names.length, share: sum(agents) / Math.max(1, sum(all)) }
}

/** @type {(raws: Array<Record<string, any>>) => { agents: AgentOutcome[] | null }} those of all merged runs */
function ofRuns (raws) {
  return { agents: raws.every(({ agents }) => agents === undefined) ? null : raws.flatMap(({ agents = [] }) => agents) }
}

module.exports = { derive, healthOfAll, ofRuns }
