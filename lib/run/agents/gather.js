'use strict'

// Creates the fleet that the options of a run request.

const { hostname } = require('node:os')
const { Fleet } = require('./fleet')
const { named } = require('./modules')
const { readKey } = require('./signature')

/** The environment variable with the key for message signatures. */
const KEY_VARIABLE = 'AUTOCANNON_KEY'

/** Names and addresses that mean a different machine on each machine. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/

/**
 * @param {import('../../options/read').Reading['values']} values
 * @param {import('../../options/plan').Plan} plan
 * @param {(sentence: string) => void} notify
 * @param {AbortSignal} signal ends the wait
 * @returns {Promise<Fleet | null>} null if the wait was aborted
 * @throws {import('../../core/errors').AutocannonError}
 */
async function gatherFor (values, plan, notify, signal) {
  const {
    agents, redis, redisCluster, redisPrefix, agentsTimeout, workers, weights, onAgentLoss, modules = '.'
  } = values
  const wish = {
    redis: { url: redis, cluster: redisCluster, prefix: redisPrefix },
    agents,
    timeout: agentsTimeout * 1000,
    workers,
    weights,
    onLoss: onAgentLoss,
    key: readKey(process.env[KEY_VARIABLE]),
    pack: (/** @type {import('../../options/plan').Plan} */ plan) => named(plan, modules)
  }
  // Files that agents cannot find are reported before waiting for agents.
  await wish.pack(plan)
  const fleet = await new Fleet(wish, { notify, onGathering: gathering => notify(wordsOf(gathering)), signal }).gather()
  const note = fleet === null ? null : noteOnLoopback(plan, fleet.agents, hostname())
  if (note !== null) notify(note)
  return fleet
}

/**
 * @param {import('../../options/plan').Plan} plan
 * @param {ReadonlyArray<import('./fleet').AgentInfo>} agents
 * @param {string} here name of this machine
 * @returns {string | null} the problem of a server on this machine, such as one of --on-port, with a URL that agents
 *   cannot reach
 */
function noteOnLoopback ({ targets }, agents, here) {
  const url = targets.map(({ url }) => new URL(url)).find(({ hostname }) => LOOPBACK.test(hostname))
  const elsewhere = agents.filter(({ host }) => host !== here).map(({ name }) => name)
  return url === undefined || elsewhere.length === 0
    ? null
    : `${url.origin} is a server on the machine of each ` +
    'agent, and ' +
    `${elsewhere.slice(0, 3).join(', ')}${elsewhere.length > 3 ? ` and ${elsewhere.length - 3} others` : ''} ` +
    `${elsewhere.length === 1 ? 'is' : 'are'} not on this one`
}

/** @type {(gathering: import('./fleet').Gathering) => string} */
function wordsOf ({ wanted, here, busy, others }) {
  const parts = [
    wanted === 'all'
      ? 'waiting for agents'
      : `waiting for agents: ${here.length} of ${wanted} ${here.length === 1 ? 'is' : 'are'} there`,
    here.length === 0 ? '' : ` (${here.join(', ')})`,
    busy.length === 0 ? '' : `; busy: ${busy.join(', ')}`,
    ...others.map(({ name, version }) => `; ${name} has another version, ${version}`)
  ]
  return parts.join('')
}

module.exports = { gatherFor, noteOnLoopback }
