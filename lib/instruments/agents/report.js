'use strict'

// Agents in reports: all of a few, outliers of many, and the number of lost ones.

const { lostOf } = require('./findings')
const { laidOut } = require('../../report/authored')
const { countedIn } = require('../../core/counted')
const { formatDuration, formatInteger, formatLatency, formatPercent, plural } = require('../../core/units')
const { agentName, agentsLost } = require('../../words/instruments')
const { troubleState } = require('../../words/load-generator')
const { troubleOf } = require('../generator/verdict')

/** The limit of agents with a row each. */
const MOST_ROWS = 8
/**
 * An agent with less than this part of the median agent's requests per connection, or more than its inverse, stands
 * out.
 */
const ODD = 0.8
/** A later start than the common one by this stands out, ms. */
const LATE = 5
/** A stall of this length is reported, ms. */
const STANDSTILL = 1000
/** Verdicts on generators whose figures are those of the client. */
const SPOILS = ['starved', 'saturated']

/**
 * @param {Record<string, any>} result
 * @returns {{ rows: any[], rest: string[] }} agents that have a row, in their order, and sentences on all others
 *   together
 */
function agentRows (result) {
  const { agents = [] } = result
  if (agents.length <= MOST_ROWS) return { rows: agents, rest: [] }
  // Lost agents, and those without load, do not count for the median.
  const rates = agents.filter((/** @type {any} */ { lost, connections }) => lost === null && connections > 0)
    .map(perConnection)
    .sort((/** @type {number} */ a, /** @type {number} */ b) => a - b)
  const usual = rates[rates.length >> 1] ?? 0
  const ranks = agents.map((/** @type {any} */ agent, /** @type {number} */ i) => ({ i, rank: oddness(agent, usual) }))
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

/** Connections that only listen send nothing. @param {Record<string, any>} result */
const hasSent = ({ requests }) => requests.sent > 0

/** @param {{ requests: { sent: number }, connections: number }} agent */
const perConnection = ({ requests, connections }) => requests.sent / connections

/**
 * @param {any} agent
 * @param {number} usual requests per connection
 * @returns {number} how much it stands out; 0 when it does not
 */
function oddness ({ lost, generator, skew, ...agent }, usual) {
  if (lost !== null) return 4 + lost.missing.share
  if (generator.standstillMs >= STANDSTILL) return 3.5 + Math.min(1, generator.standstillMs / 1e6) / 2
  if (SPOILS.includes(generator.verdict)) return 3 + generator.eventLoopUtilization / 100
  const ratio = usual === 0 || agent.connections === 0 ? 1 : perConnection(agent) / usual
  if (ratio < ODD || ratio > 1 / ODD) return 2 + Math.min(1, Math.abs(1 - ratio)) / 2
  return skew > LATE ? 1 + Math.min(1, skew / 1e6) : 0
}

/**
 * @param {any[]} agents
 * @param {boolean} isRest whether others are shown beside them
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
      // Generators without a report have no figures.
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

/** @param {any} agent @returns {string} its special circumstances */
function stateOf ({ workers, lost, generator }) {
  const { verdict, standstillMs = 0 } = generator
  if (lost !== null) return `lost after ${formatDuration(lost.after)}`
  if (workers === 0) return 'no part of the load'
  if (standstillMs >= STANDSTILL) return `stalled for ${formatDuration(standstillMs / 1000)}`
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
