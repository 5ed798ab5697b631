'use strict'

// What happens between a run and its agents while nobody looks: clocks are set, jobs are taken away, and strangers write reasons.

const t = require('tap')
const { Followers } = require('../../lib/follow/followers')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { gatherFor } = require('../../lib/run/agents/gather')
const { Jobs } = require('../../lib/run/agents/jobs')
const { Coordinator } = require('../../lib/run/coordinator')
const { noAgents, withAgents } = require('../helpers/agents')
const { serve } = require('../helpers/http-server')

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
    t.match(failure, { code: 'AC_AGENT', message: new RegExp(`^agent [a-f]: the load is to begin ${hour > 0 ? '(3599|3600)' : '-(3599|3600)'}\\.\\d s from now: the clock of Redis was set while the run was prepared`) })
    t.equal(outcome.totals.sent, 0)
    await fleet.release()
  }
})

t.test('why an agent is lost is one short line, whoever wrote it', { skip: noAgents() }, async t => {
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
