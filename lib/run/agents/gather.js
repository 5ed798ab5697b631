'use strict'

// Owns how the values of a run become the fleet that it asks for.

const { variable } = require('../../env')
const { Fleet } = require('./fleet')
const { named } = require('./modules')
const { readKey } = require('./signature')

/** Where the key is that messages are signed with. */
const KEY_VARIABLE = 'AUTOCANNON_KEY'

/**
 * @param {import('../../options/read').Reading['values']} values
 * @param {import('../../options/plan').Plan} plan
 * @param {(sentence: string) => void} tell
 * @param {AbortSignal} signal that ends the waiting
 * @returns {Promise<Fleet | null>} null when the waiting was ended
 * @throws {import('../../errors').AutocannonError}
 */
async function gatherFor (values, plan, tell, signal) {
  const { agents, redis, redisCluster, redisPrefix, agentsTimeout, workers, weights, onAgentLoss, modules = '.' } = values
  const wish = {
    redis: { url: redis, cluster: redisCluster, prefix: redisPrefix },
    agents,
    timeout: agentsTimeout * 1000,
    workers,
    weights,
    onLoss: onAgentLoss,
    key: readKey(variable(KEY_VARIABLE)),
    pack: (/** @type {import('../../options/plan').Plan} */ plan) => named(plan, modules)
  }
  // What agents could not find is told before they are waited for.
  await wish.pack(plan)
  return new Fleet(wish, { tell, onGathering: gathering => tell(wordsOf(gathering)), signal }).gather()
}

/**
 * @param {import('./fleet').Gathering} gathering
 * @returns {string}
 */
function wordsOf ({ wanted, here, busy, others }) {
  const parts = [
    wanted === 'all' ? 'waiting for agents' : `waiting for agents: ${here.length} of ${wanted} ${here.length === 1 ? 'is' : 'are'} there`,
    here.length === 0 ? '' : ` (${here.join(', ')})`,
    busy.length === 0 ? '' : `; busy: ${busy.join(', ')}`,
    ...others.map(({ name, version }) => `; ${name} is of version ${version}, which is another one`)
  ]
  return parts.join('')
}

module.exports = { gatherFor }
