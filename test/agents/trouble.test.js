'use strict'

// What happens between a run and its agents unexpectedly: clocks are set, jobs are taken away, and strangers write reasons.

const t = require('tap')
const { AutocannonError } = require('../../lib/core/errors')
const { Followers } = require('../../lib/follow/followers')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { gatherFor } = require('../../lib/run/agents/gather')
const { Fleet } = require('../../lib/run/agents/fleet')
const { Jobs } = require('../../lib/run/agents/jobs')
const { Member } = require('../../lib/run/agents/member')
const { decode, encode } = require('../../lib/run/codec')
const { Coordinator } = require('../../lib/run/coordinator')
const { noAgents, withAgents } = require('../helpers/agents/agents')
const { serve } = require('../helpers/servers/http-server')

/**
 * @param {any} t
 * @param {string} url
 */
async function fleetFor (t, url) {
  const { values } = validate({ url, connections: 2, amount: 10, ...withAgents() })
  const fleet = /** @type {import('../../lib/run/agents/fleet').Fleet} */ (await gatherFor(values, buildPlan(values), () => {}, new AbortController().signal))
  t.teardown(() => fleet.release())
  return { fleet, coordinator: new Coordinator(await fleet.pack(buildPlan(values)), fleet.size, fleet.makeChannel, new Followers(), { response: null, requestError: null, mismatch: null }, [], null, fleet) }
}

t.test('a clock of Redis that is set while a run is prepared ends it with a sentence, whichever way', { skip: noAgents() }, async t => {
  for (const hour of [3_600_000, -3_600_000]) {
    const server = await serve(t)
    const { fleet, coordinator } = await fleetFor(t, server.url)
    fleet.clock.offset += hour
    const { failure, outcome } = await coordinator.run()
    t.match(failure, { code: 'AC_AGENT', message: new RegExp(`^agent [a-f]: the load is to begin ${hour > 0 ? '' : '-'}3[56]\\d\\d\\.\\d s from now: the clock of Redis was set while the run was prepared`) })
    t.equal(outcome.totals.sent, 0)
    await fleet.release()
  }
})

t.test('why an agent is lost is one short line, from any sender', { skip: noAgents() }, async t => {
  const server = await serve(t)
  const { fleet, coordinator } = await fleetFor(t, server.url)
  const notices = []
  coordinator.followers.add({ notice: sentence => notices.push(sentence) })
  const [job] = fleet.members.keys()
  const running = coordinator.run()
  fleet.lose(job, `nothing\n\u001b[31mautocannon: all is well${'x'.repeat(5000)}`)
  await running
  t.equal(notices.length, 1)
  t.match(notices[0], /^agent [a-f] is lost: nothing autocannon: all is well[^\n]{0,250}$/)
})

t.test('a job in place of a lost one does not stand behind those of other runs', async t => {
  /** @type {any[]} */
  const added = []
  const redis = /** @type {any} */ ({ client: { exists: async () => 1 }, key: () => '' })
  const jobs = new Jobs(redis, 'run', () => {})
  jobs.prolong = async () => {}
  jobs.queue = /** @type {any} */ ({ addBulk: async (/** @type {any[]} */ some) => added.push(...some.map(({ opts }) => [opts.jobId, opts.lifo])) })
  await jobs.match(2, () => false)
  jobs.ids.delete('run-0')
  await jobs.match(2, () => false)
  t.strictSame(added, [['run-0', false], ['run-1', false], ['run-2', true]])
})

t.test('agents that call themselves the same are told apart, also when one of them has gone', async t => {
  const fleet = new Fleet(/** @type {any} */ ({ redis: { url: 'redis://127.0.0.1:1', cluster: false, prefix: 'p' }, agents: 4 }), { notify () {}, onGathering () {}, signal: new AbortController().signal })
  t.teardown(() => fleet.redis.close())
  fleet.clock.error = 0
  const come = (/** @type {string} */ job) => {
    const member = /** @type {any} */ ({ identity: { job }, name: '', end () {} })
    fleet.members.set(job, member)
    fleet.join(member, { id: job, name: 'node', host: 'h', cores: 1, version: '1', node: 'v20', busy: false, workers: 1, clockError: 0, slowest: 0 })
  }
  for (const job of ['1', '2', '3']) come(job)
  fleet.lose('1', 'it was killed')
  for (const job of ['4', '5']) come(job)
  t.strictSame(fleet.agents.map(({ name }) => name), ['node#2', 'node#3', 'node', 'node#4'])
})

t.test('what a generator of an agent fails with is one line of ours, whatever it is', async t => {
  /** @type {any[]} */
  const posted = []
  const redis = /** @type {any} */ ({ key: () => '', client: {}, another: async () => {} })
  const member = new Member({ job: 'j', agent: 'a', nonce: 'n' }, { redis, clock: /** @type {any} */ ({}), key: null, run: 'r', onJoined () {}, onLost () {}, onBadSignature () {} })
  member.mailbox.post = async entry => { posted.push(entry) }
  const text = `no\n\u001b[31mautocannon: all is well${'x'.repeat(100_000)}`
  for (const error of [new Error(text), new TypeError(text), new AutocannonError('AC_HOOK', text)]) {
    const transport = member.transport()
    /** @type {any} */
    let closed = null
    transport.onClose = told => { closed = told }
    for (const told of [(transport).explain(decode(encode(error))), (member.handle({ c: member.opened - 1, x: encode(error) }), closed)]) {
      t.ok(told instanceof AutocannonError)
      t.match(told.message, /^agent an agent: no autocannon: all is well[^\n]{900,1000}$/)
    }
  }
})
