'use strict'

// What becomes of a run that loses an agent, and of the agent: processes, and a Redis of their own. No test depends on an exact time.

const { setTimeout: sleep } = require('node:timers/promises')
const { agent, agents, cable, counter, outcome, outcomeOf, run, until } = require('../helpers/agents/agent-processes')
const { noRedis, startRedis } = require('../helpers/agents/redis')
const { scene } = require('../helpers/scenes')

const options = { skip: noRedis }

/** A load that both agents have half of. */
const LOAD = ['--agents', '2', '-c', '4', '--rate', '200']

/**
 * @param {any} t
 * @param {any} result
 * @param {(path?: string) => number} count of the server
 */
function adds (t, result, count) {
  const sum = (/** @type {'sent' | 'total'} */ what) => result.agents.reduce((sum, { requests }) => sum + requests[what], 0)
  t.equal(sum('total'), result.requests.total, 'the answers of all agents are those of the run')
  t.ok(result.requests.sent <= count(), 'nothing is counted that was not sent')
}

scene('an agent that is killed: what it had reported stays, the run goes on, and says what is missing', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one, two] = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-a', '800', server.url])
  await until(() => server.count() > 400)
  one.kill('SIGKILL')
  const { code, result, stderr } = await outcomeOf(going)
  t.equal(code, 0, stderr)
  const [dead, living] = result.agents
  t.match(dead, { name: 'one', lost: { after: Number, code: /^(silent|failed)$/, reason: /not been heard of|its lock has expired/, missing: { share: Number, requests: Number } } })
  t.ok(dead.requests.total > 50 && dead.requests.total < 400, `some of its own: ${dead.requests.total}`)
  t.match(living, { name: 'two', lost: null, requests: { sent: 400, total: 400 } }, 'its half')
  adds(t, result, server.count)
  await two.says('stderr', 'has ended')
})

scene('with --on-agent-loss stop the run ends, with exit code 1 and the report so far', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one, two] = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-d', '60', '--on-agent-loss', 'stop', server.url])
  await until(() => server.count() > 400)
  one.kill('SIGKILL')
  const { code, stderr, result } = await outcomeOf(going)
  t.equal(code, 1)
  t.match(stderr, /agent one is lost: /)
  t.notMatch(stderr, /requests in/, 'no table beside the JSON')
  t.ok(result.interrupted && result.requests.total > 0, 'what was measured')
  adds(t, result, server.count)
  await two.says('stderr', 'has ended')
})

scene('an agent that is frozen stops at once when it wakes, and takes new work', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one] = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-a', '800', server.url])
  await until(() => server.count() > 400)
  one.kill('SIGSTOP')
  const { code, result } = await outcomeOf(going)
  t.equal(code, 0)
  t.match(result.agents, [{ name: 'one', lost: { reason: /not been heard of|its lock has expired/ } }, { name: 'two', lost: null }])
  const before = server.count()
  one.kill('SIGCONT')
  await one.says('stderr', 'the load ends')
  // It would have sent for seconds.
  t.ok(server.count() - before < 100, `${server.count() - before} requests behind its end`)
  await server.still(1000)
  const again = await outcome(redis.url, [...LOAD, '-a', '200', server.url])
  t.match(again, { code: 0, result: { agents: [{ name: 'one', lost: null }, { name: 'two', lost: null }], requests: { sent: 200 } } })
})

scene('an agent that is cut off from Redis ends its load by itself, and takes new work when it is back', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const wire = await cable(t, redis.port)
  const [one] = [await agent(t, wire.url, 'one'), await agent(t, redis.url, 'two')]
  const going = run(t, redis.url, [...LOAD, '-d', '60', '--on-agent-loss', 'stop', `${server.url}/a`])
  await until(() => server.count() > 400)
  wire.cut()
  const cutAt = server.count()
  const { code, stderr } = await outcomeOf(going)
  t.equal(code, 1)
  t.match(stderr, /agent one is lost: /)
  await one.says('stderr', 'the load ends')
  await server.still(1000)
  t.ok(server.count() > cutAt)
  wire.mend()
  const again = await outcome(redis.url, [...LOAD, '-a', '200', server.url])
  t.match(again, { code: 0, result: { agents: [{ name: 'one', lost: null }, { name: 'two', lost: null }], requests: { sent: 200 } } })
})

scene('connections to Redis that break for a moment change nothing', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const wire = await cable(t, redis.port)
  await agents(t, wire.url, ['one', 'two'])
  const going = run(t, wire.url, [...LOAD, '-a', '800', server.url])
  for (const count of [200, 400, 600]) {
    await until(() => server.count() > count)
    wire.reset()
  }
  const { code, result } = await outcomeOf(going)
  t.equal(code, 0)
  t.match(result, { requests: { sent: 800, total: 800 }, agents: [{ lost: null }, { lost: null }] })
  t.equal(server.count(), 800)
})

scene('an agent that is killed while others are waited for: the run waits for another one', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const one = await agent(t, redis.url, 'one')
  const going = run(t, redis.url, [...LOAD, '-a', '200', '--agents-timeout', '120', server.url])
  await going.says('stderr', '1 of 2 is there (one)')
  one.kill('SIGKILL')
  // Longer than an agent may say nothing before a run begins with it.
  await sleep(4000)
  await agents(t, redis.url, ['three', 'two'])
  const { code, result, stderr } = await outcomeOf(going)
  t.equal(code, 0, stderr)
  t.match(result.agents, [{ name: 'three', lost: null }, { name: 'two', lost: null }])
  t.equal(server.count(), 200)
})

scene('an agent that is killed between warm-up and run, or in the warm-up, is missing in the run', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one] = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-a', '200', '--warmup', '[ -d 4 ]', server.url])
  await until(() => server.count() > 100)
  one.kill('SIGKILL')
  const { code, result, stderr } = await outcomeOf(going)
  t.equal(code, 0, stderr)
  t.match(result.agents, [{ name: 'one', requests: { sent: 0 }, lost: { after: 0, missing: { share: 0.5 } } }, { name: 'two', requests: { sent: 100 }, lost: null }])
})

scene('an agent that is told to end in the middle of a run says so, and the run goes on at once', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one, two] = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-a', '600', server.url])
  await until(() => server.count() > 200)
  one.kill('SIGTERM')
  t.match(await one.ended, { code: 0, stderr: /one ends/ })
  const { code, result } = await outcomeOf(going)
  t.equal(code, 0)
  t.match(result.agents, [{ name: 'one', lost: { code: /^(left|failed)$/, reason: 'the agent was stopped' } }, { name: 'two', lost: null }], 'it says so, and its queue does, which may be heard of first')
  t.equal(result.agents[1].requests.sent, 300, 'all of its part')
  t.equal(result.requests.sent, server.count(), 'what the one had sent until then is not lost')
  two.kill('SIGTERM')
  t.match(await two.ended, { code: 0, stderr: /two ends/ }, 'an idle one ends as well')
})
