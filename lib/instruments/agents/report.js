'use strict'

// Agents in reports: all agents, or the outliers if there are many, and the number of lost ones.

const { lostOf } = require('./findings')
const { laidOut } = require('../../report/authored')
const { countedIn } = require('../../core/counted')
const { formatDuration, formatInteger, formatLatency, formatPercent, plural } = require('../../core/units')
const { agentName, agentsLost } = require('../../words/instruments')
const { troubleState } = require('../../words/load-generator')
const { troubleOf } = require('../generator/verdict')

/** The number of agents that have a row each. */
const MOST_ROWS = 8
/** Below this multiple of the median of requests per connection, or above its inverse, an agent is an outlier. */
const USUAL = 0.8
/** An agent that started later than the common start by this is an outlier, ms. */
const LATE = 5
/** The shortest stall that is reported, ms. */
const STALL = 1000
/** Verdicts on load generators that were the limit. */
const LIMITED = ['starved', 'saturated']

/**
 * @param {Record<string, any>} result
 * @returns {{ rows: any[], rest: string[] }} the agents of the table, and a sentence on all others together
 */
function agentRows (result) {
  const { agents = [] } = result
  if (agents.length <= MOST_ROWS) return { rows: agents, rest: [] }
  // The median excludes lost agents, and those without connections.
  const rates = agents.filter((/** @type {any} */ { lost, connections }) => lost === null && connections > 0)
    .map(perConnection)
    .sort((/** @type {number} */ a, /** @type {number} */ b) => a - b)
  const median = rates[rates.length >> 1] ?? 0
  const ranks = agents
    .map((/** @type {any} */ agent, /** @type {number} */ i) => ({ i, rank: outlierRank(agent, median) }))
    .filter((/** @type {any} */ { rank }) => rank > 0)
  const shown = new Set(ranks.sort((/** @type {any} */ a, /** @type {any} */ b) => b.rank - a.rank || a.i - b.i)
    .slice(0, MOST_ROWS)
    .map((/** @type {any} */ { i }) => i))
  const others = agents.filter((/** @type {any} */ _, /** @type {number} */ i) => !shown.has(i))
  return {
    rows: agents.filter((/** @type {any} */ _, /** @type {number} */ i) => shown.has(i)),
    rest: [restSentence(others, shown.size > 0, hasSent(result), countedIn(result))]
  }
}

/** Connections that listen only send nothing. @param {Record<string, any>} result */
const hasSent = ({ requests }) => requests.sent > 0

/** @param {{ requests: { sent: number }, connections: number }} agent */
const perConnection = ({ requests, connections }) => requests.sent / connections

/**
 * @param {any} agent
 * @param {number} median of requests per connection
 * @returns {number} higher for a worse outlier; 0 if it is none
 */
function outlierRank ({ lost, generator, skew, ...agent }, median) {
  if (lost !== null) return 4 + lost.missing.share
  if (generator.stalledMs >= STALL) return 3.5 + Math.min(1, generator.stalledMs / 1e6) / 2
  if (LIMITED.includes(generator.verdict)) return 3 + generator.eventLoopUtilization / 100
  const ratio = median === 0 || agent.connections === 0 ? 1 : perConnection(agent) / median
  if (ratio < USUAL || ratio > 1 / USUAL) return 2 + Math.min(1, Math.abs(1 - ratio)) / 2
  return skew > LATE ? 1 + Math.min(1, skew / 1e6) : 0
}

/**
 * @param {any[]} agents
 * @param {boolean} isRest whether the table has other agents
 * @param {boolean} hasSent
 * @param {import('../../core/counted').Counted} counted
 */
function restSentence (agents, isRest, hasSent, { many }) {
  const range = (/** @type {(agent: any) => number} */ what, /** @type {(value: number) => string} */ format) => {
    const [least, most] = [Math.min, Math.max].map(of => format(of(...agents.map(what))))
    return least === most ? `${most}` : `${least} to ${most}`
  }
  const skews = agents.filter(({ skew }) => skew !== null)
  const facts = [
    ...hasSent ? [`${range(({ share }) => share, formatPercent)} of the ${many} each`] : [],
    `CPU ${range(({ generator }) => generator.cpu, formatPercent)} of a core`,
    ...skews.length > 0 ? [`start skew up to ${skewOf({ skew: Math.max(...skews.map(({ skew }) => skew)) })}`] : []
  ]
  const which = isRest
    ? plural(agents.length, 'more agent')
    : `${formatInteger(agents.length)} agents, none of which stands out`
  return `${which}: ${facts.join(', ')}.`
}

/** @type {import('../../report/authored').TablesOf} */
function tables (result) {
  const { rows, rest } = agentRows(result)
  return [{
    id: 'agents',
    title: 'Agents',
    ...laidOut([
      ['Agent', agent => ({ text: agentName(agent), tone: 'name' })],
      ['>Threads', ({ workers }) => formatInteger(workers)],
      ['>Connections', ({ connections }) => formatInteger(connections)],
      [`>${countedIn(result).title}`, ({ requests }) => formatInteger(requests.sent)],
      ['>Share', ({ share }) => hasSent(result) ? formatPercent(share) : '–'],
      // A load generator that has not reported has no figures.
      [
        '>CPU',
        ({ generator }) => generator.cpu === 0 && generator.verdict === null ? '–' : formatPercent(generator.cpu)
      ],
      ['>Start skew', skewOf],
      ['State', agent => ({ text: stateOf(agent), tone: agent.lost === null ? 'state' : 'lost' })]
    ], rows),
    rest,
    elastic: [0]
  }]
}

/** @param {{ skew: number | null }} agent */
function skewOf ({ skew }) {
  return skew === null ? '–' : formatLatency(skew)
}

/** @param {any} agent @returns {string} its problem; empty for none */
function stateOf ({ workers, lost, generator }) {
  const { verdict, stalledMs = 0 } = generator
  if (lost !== null) return `lost after ${formatDuration(lost.after)}`
  if (workers === 0) return 'no part of the load'
  if (stalledMs >= STALL) return `stalled for ${formatDuration(stalledMs / 1000)}`
  const trouble = troubleOf(generator)
  if (trouble !== null) return troubleState(trouble)
  return verdict === null || verdict === 'healthy' ? '' : verdict
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} such as `2 of 8 agents were lost`; null when none was
 */
function lossSentence (result) {
  const lost = lostOf(result).length
  return lost === 0 ? null : agentsLost({ lost, agents: result.agents.length })
}

/** @type {import('../../report/authored').Columns} */
const columns = [
  ['agents', (_, { agents }) => agents?.length],
  ['agents_lost', (_, result) => result.agents && lostOf(result).length]
]

module.exports = { columns, lossSentence, tables }
