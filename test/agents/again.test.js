'use strict'

// One run after the other over the same agent, all in this process: what a run has opened and written, it closes and removes.

const t = require('tap')
const { setTimeout: sleep } = require('node:timers/promises')
const autocannon = require('../..')
const { admit } = require('../../lib/run/agents/admission')
const { Agent } = require('../../lib/run/agents/agent')
const { parseAllowed } = require('../../lib/net/allowed')
const { counter } = require('../helpers/agents/agent-processes')
const { noRedis, startRedis } = require('../helpers/agents/redis')

/** @returns {Record<string, number>} how many of each kind this process has open. Timers come and go */
function open () {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const kind of process.getActiveResourcesInfo()) if (!/Timeout|Immediate|TickObject|Microtask/.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/**
 * @param {() => unknown} holds
 */
async function soon (holds) {
  for (let i = 0; i < 800 && !await holds(); i++) await sleep(25)
}

t.test('of runs over an agent nothing stays: neither sockets, threads and listeners here, nor connections and keys at Redis', { skip: noRedis }, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const agent = new Agent({ redis: { url: redis.url, cluster: false, prefix: 'autocannon' }, name: 'one', workers: 1, once: false, key: null, admit: plan => admit(plan, { allow: parseAllowed('loopback'), modules: null }) }, { notify () {}, onEnd () {} })
  t.teardown(() => agent.stop())
  await agent.start()
  const go = async (/** @type {number} */ runs) => {
    for (let i = 0; i < runs; i++) t.match(await autocannon({ agents: 1, redis: redis.url, url: server.url, connections: 1, amount: 2 }), { requests: { sent: 2 }, agents: [{ lost: null }] })
  }
  const look = async () => ({ open: open(), keys: (await redis.keys()).length, clients: String(await redis.client.client('LIST')).trim().split('\n').length, ours: agent.redis.clients.size, listeners: agent.redis.client.listenerCount('error') + process.listenerCount('exit') })
  await go(3)
  // What is left after a few is there once, such as connections that wait for the next job. Those that have ended may be noticed a little later.
  await sleep(500)
  const before = await look()
  await go(9)
  await soon(async () => JSON.stringify(await look()) === JSON.stringify(before))
  t.strictSame(await look(), before)
  t.equal(server.count(), 24)
})
