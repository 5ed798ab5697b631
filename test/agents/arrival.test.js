'use strict'

// Latencies of agents end at the arrival in the kernel, as those of this process do: agents are processes, and meet over a Redis of their own.

const { load } = require('../../lib/net/sockets/binding')
const { agents, counter, outcomeOf, run } = require('../helpers/agents/agent-processes')
const { noRedis, startRedis } = require('../helpers/agents/redis')
const { scene } = require('../helpers/scenes')

const options = { skip: noRedis || (load().binding === null && 'there is no add-on') }

scene('the arrival times of two agents are in the merged result', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  await agents(t, redis.url, ['one', 'two'])
  const outcome = (...argv) => outcomeOf(run(t, redis.url, ['--agents', '2', '-c', '8', ...argv, server.url]))
  const { code, stderr, result } = await outcome('-a', '2000')
  t.equal(code, 0, stderr)
  t.match(result, { requests: { total: 2000 }, agents: [{ name: 'one' }, { name: 'two' }] })
  const { arrival, late } = result.clock
  // The kernel switches stamps on a little after they are asked for.
  t.ok(arrival > 0.9 && arrival <= 1, `${arrival} of the responses`)
  t.equal(late.totalCount, Math.round(arrival * 2000), 'each of them is in the distribution of both agents together')
  t.ok(late.p50 >= 0 && late.max < result.duration * 1000)
  for (const argv of [['--clock', 'read'], ['--sockets', 'node']]) {
    const { result: { clock, requests } } = await outcome('-a', '200', ...argv)
    t.strictSame([clock, requests.total], [undefined, 200], `none with ${argv.join(' ')}`)
  }
})
