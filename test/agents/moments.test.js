'use strict'

// An agent that is killed at a moment that hardly ever comes: the run never hangs, and counts right. Processes, and a Redis of their own.

const { agent, counter, launch, outcome } = require('../helpers/agents/agent-processes')
const { noRedis, startRedis } = require('../helpers/agents/redis')
const { scene } = require('../helpers/scenes')

const options = { skip: noRedis }

/** A load that both agents have half of: 100 requests of 200. */
const LOAD = ['-c', '4', '--rate', '200', '-a', '200']

/**
 * @param {any} t
 * @param {string} url of Redis
 * @param {string} moment
 */
async function dying (t, url, moment) {
  const one = launch(t, ['agent', '--redis', url, '--name', 'one', '--workers', '1'], { preload: require.resolve('../helpers/agents/dies-at'), env: { AGENT_DIES_AT: moment } })
  await one.says('stderr', 'waits for runs')
  return one
}

for (const [moment, when] of Object.entries({ opened: 'while it opens its plan', begin: 'before it begins' })) {
  scene(`an agent that is killed ${when} has sent nothing, and its half is missing`, options, async t => {
    const redis = await startRedis(t)
    const server = await counter(t)
    const [one] = await Promise.all([dying(t, redis.url, moment), agent(t, redis.url, 'two')])
    const { code, stderr, result } = await outcome(redis.url, ['--agents', '2', ...LOAD, server.url])
    t.match(await one.ended, { signal: 'SIGKILL' })
    t.equal(code, 0, stderr)
    t.match(result, { requests: { sent: 100, total: 100 }, agents: [{ name: 'one', requests: { sent: 0, total: 0 }, lost: { after: 0, missing: { share: 0.5, requests: 100 } } }, { name: 'two', lost: null }] })
    t.equal(server.count(), 100)
  })
}

scene('an agent that is killed between its last report and its end has done its part, or misses what it had not reported', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one] = await Promise.all([dying(t, redis.url, 'end'), agent(t, redis.url, 'two')])
  const { code, stderr, result } = await outcome(redis.url, ['--agents', '2', ...LOAD, server.url])
  t.match(await one.ended, { signal: 'SIGKILL' })
  t.equal(code, 0, stderr)
  const [{ requests, lost }, two] = result.agents
  t.match(two, { requests: { sent: 100, total: 100 }, lost: null })
  t.equal(requests.sent + lost.missing.requests, 100)
  t.equal(result.requests.sent, requests.sent + 100)
  t.equal(server.count(), 200)
})

scene('an agent that is killed when the run lets it go changes nothing', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one] = await Promise.all([dying(t, redis.url, 'release'), agent(t, redis.url, 'two')])
  const { code, stderr, result } = await outcome(redis.url, ['--agents', '2', ...LOAD, server.url])
  t.match(await one.ended, { signal: 'SIGKILL' })
  t.equal(code, 0, stderr)
  t.match(result, { requests: { sent: 200, total: 200 }, agents: [{ lost: null }, { lost: null }] })
  const again = await outcome(redis.url, ['--agents', '1', ...LOAD, server.url])
  t.match(again, { code: 0, result: { agents: [{ name: 'two', lost: null }], requests: { sent: 200 } } }, 'no other agent has its job')
})

scene('the only agent that is killed before it has a plan: a line and exit code 1', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  await dying(t, redis.url, 'open')
  const { code, stderr } = await outcome(redis.url, ['--agents', '1', ...LOAD, server.url])
  t.equal(code, 1)
  t.match(stderr, /agent one is lost: /)
  t.notMatch(stderr, /\n +at /)
  t.equal(server.count(), 0)
})
