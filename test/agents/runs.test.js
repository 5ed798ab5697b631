'use strict'

// What becomes of agents when their coordinator or their Redis is gone for a while or for good, of runs that want the same agents, and of what lies in
// Redis: processes, and a Redis of their own. No test depends on an exact time.

const { version } = require('../../package.json')
const { agents, cable, counter, outcome, outcomeOf, run, until } = require('../helpers/agents/agent-processes')
const { noRedis, startRedis } = require('../helpers/agents/redis')
const { scene } = require('../helpers/scenes')

const options = { skip: noRedis }

/** A load that both agents have half of: 200 requests in a second. */
const LOAD = ['--agents', '2', '-c', '4', '--rate', '200']

/**
 * @param {any} t
 * @param {import('../helpers/agents/redis').RedisServer} redis
 */
async function leavesNothing (t, redis) {
  const keys = await redis.keys()
  t.strictSame(keys.filter(key => key.includes(':run:') || key.endsWith(':wait') || key.endsWith(':active')), [], 'nothing of a run')
  // −1 says that it has none; what has ended meanwhile is −2.
  for (const key of keys) t.ok(await redis.client.pttl(key) !== -1, `${key} has a time to live`)
}

scene('a coordinator that is killed: its agents stop within 5 s, and take new jobs', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const both = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-d', '60', server.url])
  await until(() => server.count() > 200)
  const before = server.count()
  going.kill('SIGKILL')
  for (const one of both) await one.says('stderr', 'the coordinator has not been heard of')
  await server.still(1000)
  t.ok(server.count() - before < 200 * 8, `${server.count() - before} requests behind its end, which are 5 s of them with room for a busy machine`)
  const again = await outcome(redis.url, [...LOAD, '-a', '200', `${server.url}/again`])
  t.match(again, { code: 0, result: { requests: { sent: 200, total: 200 } } })
  t.equal(server.count('/again'), 200)
})

scene('a coordinator that is cut off from Redis ends with a line and exit code 1; its agents take new jobs', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const wire = await cable(t, redis.port)
  await agents(t, redis.url, ['one', 'two'])
  const going = run(t, wire.url, [...LOAD, '-d', '60', server.url])
  // So many that samples have been reported.
  await until(() => server.count() > 600)
  const before = server.count()
  wire.cut()
  const { code, stderr, result } = await outcomeOf(going)
  t.equal(code, 1)
  t.match(stderr, /Redis at redis:\/\/127\.0\.0\.1:\d+ could not be used for 6 s/)
  t.ok(result.interrupted && result.requests.total > 100, 'what was measured')
  await server.still(1000)
  t.ok(server.count() - before < 200 * 8, `${server.count() - before} requests behind that`)
  t.match(await outcome(redis.url, [...LOAD, '-a', '200', server.url]), { code: 0, result: { requests: { sent: 200 } } })
})

for (const kept of [true, false]) {
  scene(`Redis starts again in the middle of a run, ${kept ? 'with' : 'without'} what was in it: the run goes on, and nothing is counted twice`, options, async t => {
    const redis = await startRedis(t)
    const server = await counter(t)
    await agents(t, redis.url, ['one', 'two'])
    const going = run(t, redis.url, [...LOAD, '-a', '1000', server.url])
    await until(() => server.count() > 300)
    await redis.restart({ kept })
    const { code, stderr, result } = await outcomeOf(going)
    t.equal(code, 0, stderr)
    t.match(result, { requests: { sent: 1000, total: 1000 }, agents: [{ lost: null }, { lost: null }] })
    t.equal(server.count(), 1000)
    t.match(await outcome(redis.url, [...LOAD, '-a', '200', server.url]), { code: 0, result: { requests: { sent: 200 } } }, 'and the next one')
  })
}

scene('Redis goes in the middle of a run and does not come back: a line, exit code 1, and the report so far; agents end when they are told to', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const [one, two] = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-d', '60', server.url])
  await until(() => server.count() > 300)
  await redis.stop()
  const { code, stderr, result } = await outcomeOf(going)
  t.equal(code, 1)
  t.match(stderr, /Redis at redis:\/\/127\.0\.0\.1:\d+ could not be used for 6 s \(.*ECONNREFUSED/)
  t.ok(result.interrupted && result.requests.total > 0, 'what was measured')
  await server.still(1000)
  one.kill('SIGTERM')
  t.match(await one.ended, { code: 0 }, 'an agent whose Redis is away')
  await redis.start()
  await two.says('stderr', 'is back')
  t.match(await outcome(redis.url, ['--agents', '1', '-c', '4', '--rate', '200', '-a', '200', server.url]), { code: 0, result: { agents: [{ name: 'two' }], requests: { sent: 200 } } })
})

scene('two runs at once: one waits for the agents of the other, and nothing mixes', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  await agents(t, redis.url, ['one', 'two'])
  const runs = ['/a', '/b'].map(path => outcome(redis.url, [...LOAD, '-a', '400', server.url + path]))
  for (const going of runs) t.match(await going, { code: 0, result: { requests: { sent: 400, total: 400 }, agents: [{ lost: null }, { lost: null }] } })
  t.strictSame(['/a', '/b'].map(server.count), [400, 400])
  for (const path of ['/c', '/d']) t.match(await outcome(redis.url, ['--agents', 'all', ...LOAD.slice(2), '-a', '200', server.url + path]), { code: 0, result: { agents: [{ name: 'one' }, { name: 'two' }], requests: { sent: 200 } } }, 'right behind each other')
  t.strictSame(['/c', '/d'].map(server.count), [200, 200])
  await leavesNothing(t, redis)
})

scene('Ctrl-C: all agents stop within 1 s, and the report shows what was measured; while agents are waited for nothing stays', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const waiting = run(t, redis.url, [...LOAD, server.url])
  await waiting.says('stderr', 'waiting for agents')
  waiting.kill('SIGINT')
  t.match(await waiting.ended, { code: 130 })
  await leavesNothing(t, redis)
  const both = await agents(t, redis.url, ['one', 'two'])
  const going = run(t, redis.url, [...LOAD, '-d', '60', server.url])
  await until(() => server.count() > 300)
  const before = server.count()
  going.kill('SIGINT')
  const { code, result } = await outcomeOf(going)
  t.equal(code, 130)
  t.match(result, { interrupted: true, agents: [{ lost: null }, { lost: null }] })
  await server.still(500)
  t.ok(server.count() - before < 200 * 3, `${server.count() - before} requests behind it, which are 1 s of them with room for a busy machine`)
  t.equal(result.requests.sent, server.count(), 'all of them are in the report')
  for (const one of both) await one.says('stderr', 'has ended')
  await leavesNothing(t, redis)
})

scene('what strangers write to Redis ends neither an agent nor a run', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const both = await agents(t, redis.url, ['one', 'two'])
  const { client } = redis
  const { Queue } = require('bullmq')
  const queue = new Queue(`slices-v${version}`, { connection: { port: redis.port }, prefix: '{autocannon}' })
  const jobs = [null, 5, 'text', [], {}, { run: '\u001b[2J' }, { run: { toString: 1 } }, { run: '0'.repeat(32) }]
  for (const data of jobs) await queue.add('slice', data)
  await client.hset(await queue.add('slice', {}).then(({ id }) => `{autocannon}:slices-v${version}:${id}`), 'data', '{no JSON')
  for (const [id, card] of Object.entries({ x: 'no JSON', y: '[]', z: JSON.stringify({ id: 'z', name: '\u001b[31mred', host: 'h', cores: 1, version: '\u0007', node: 'v1', busy: true }), w: JSON.stringify({ id: 'w', name: 'n'.repeat(1e6), host: 'h', cores: -1, version, node: 'v1' }) })) {
    await client.sadd('{autocannon}:agents', id)
    await client.set(`{autocannon}:agent:${id}`, card, 'PX', 60_000)
  }
  const going = run(t, redis.url, [...LOAD, '-a', '400', '--agents-timeout', '60', server.url])
  await until(() => server.count() > 100)
  for (const key of (await redis.keys()).filter(key => key.includes(':run:'))) {
    if (await client.type(key) !== 'stream') continue
    for (const fields of [['x', 'y'], ['n', '1', 'a', '0', 'p', '[]'], ['j', '1', 'g', 'x', 'o', 'y', 'n', '-1']]) if (key.endsWith(':from')) await client.xadd(key, '*', ...fields)
  }
  const { code, stderr, result } = await outcomeOf(going)
  t.equal(code, 0, stderr)
  t.equal(result?.requests.sent, 400)
  t.notMatch(stderr + both.map(({ stderr }) => stderr).join(''), /\p{Cc}(?<!\n)|\n +at /u)
  await queue.close()
  for (const one of both) {
    one.kill('SIGTERM')
    t.match(await one.ended, { code: 0 })
  }
})
