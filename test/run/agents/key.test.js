'use strict'

// AUTOCANNON_KEY on both sides, on one, and two that differ: what each side says, over a real Redis.

const t = require('tap')
const { setTimeout: sleep } = require('node:timers/promises')
const autocannon = require('../../..')
const { admit } = require('../../../lib/run/agents/admission')
const { Agent } = require('../../../lib/run/agents/agent')
const { parseAllowed } = require('../../../lib/net/allowed')
const { withAgents } = require('../../helpers/agents/agents')
const { noRedis } = require('../../helpers/agents/redis')
const { rawServer, answer } = require('../../helpers/servers/raw-server')

const options = { skip: noRedis }

const KEY = '0123456789abcdef'
const DIFFERENT = 'a message is not signed with the AUTOCANNON_KEY of this side: it has to be the same on both'

for (const [name, here, there, said, told] of /** @type {Array<[string, string | null, string | null, string | null, string | null]>} */ ([
  ['the same key', KEY, KEY, null, null],
  ['a key of the agent alone', null, KEY, 'an agent signs what it sends, and this side has no AUTOCANNON_KEY: set the same on both sides', 'this agent has an AUTOCANNON_KEY, and the coordinator has none: set the same on both sides'],
  ['a key of the run alone', KEY, null, 'this side has an AUTOCANNON_KEY, and an agent has none: set the same on both sides', 'the coordinator signs what it sends, and this agent has no AUTOCANNON_KEY: set the same on both sides'],
  ['two keys', KEY, `${KEY}0`, DIFFERENT, DIFFERENT]
])) {
  t.test(name, options, async t => {
    const server = await rawServer(t, answer())
    const { redis } = withAgents()
    const prefix = `key-${name.replaceAll(' ', '-')}`
    /** @type {string[]} */
    const sentences = []
    const agent = new Agent({ redis: { url: redis, cluster: false, prefix }, name: 'one', workers: 1, once: false, key: there, admit: plan => admit(plan, { allow: parseAllowed('loopback'), modules: null }) },
      { notify: sentence => { sentences.push(sentence) }, onEnd () {} })
    t.teardown(() => agent.stop())
    await agent.start()
    const before = process.env.AUTOCANNON_KEY
    t.teardown(() => {
      if (before === undefined) delete process.env.AUTOCANNON_KEY
      else process.env.AUTOCANNON_KEY = before
    })
    if (here === null) delete process.env.AUTOCANNON_KEY
    else process.env.AUTOCANNON_KEY = here
    const running = autocannon({ agents: 1, redis, redisPrefix: prefix, url: server.url, connections: 1, amount: 5 })
    if (said === null) t.equal((await running)['2xx'], 5)
    else await t.rejects(running, { code: 'AC_KEY', message: said })
    const isTold = () => told === null || sentences.some(sentence => sentence.includes(`has ended (${told})`))
    for (let i = 0; i < 300 && !isTold(); i++) await sleep(10)
    t.ok(isTold(), sentences.join('; '))
    t.equal(server.connections.length, said === null ? 1 : 0)
  })
}
