'use strict'

// A run gets the agents that it names, with any others connected.

const t = require('tap')
const { Fleet } = require('../../lib/run/agents/fleet')
const { noAgents, withAgents } = require('../helpers/agents/agents')

/**
 * @param {Record<string, number>} weights
 * @returns {Promise<Fleet>}
 */
async function gather (weights) {
  const { redis, redisPrefix } = withAgents()
  const wish = { redis: { url: redis, cluster: false, prefix: redisPrefix }, agents: Object.keys(weights).length, timeout: 20_000, workers: undefined, weights, onLoss: /** @type {const} */ ('continue'), key: null, pack: async plan => plan }
  const fleet = await new Fleet(wish, { notify () {}, onGathering () {}, signal: new AbortController().signal }).gather()
  return /** @type {Fleet} */ (fleet)
}

t.test('weights by name take the agents of these names', { skip: noAgents() }, async t => {
  for (const weights of [{ f: 3, a: 1 }, { c: 2 }, { e: 1, d: 2, b: 4 }]) {
    const fleet = await gather(weights)
    t.strictSame(Object.fromEntries(fleet.agents.map(({ name, workers }) => [name, workers])), weights)
    await fleet.release()
  }
  // Those that were let go are free for others.
  const all = await gather({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 })
  t.equal(all.size, 6)
  await all.release()
})

t.test('runs that name agents do not wait for each other', { skip: noAgents() }, async t => {
  const fleets = await Promise.all([{ a: 1, b: 1 }, { c: 1, d: 1 }, { e: 1, f: 1 }].map(gather))
  t.strictSame(fleets.map(fleet => fleet.agents.map(({ name }) => name)), [['a', 'b'], ['c', 'd'], ['e', 'f']])
  await Promise.all(fleets.map(fleet => fleet.release()))
})
