'use strict'

// What may be said of agents: how many, by which Redis, with what weights.

const t = require('tap')
const { parseAgents, parseRedis, parseWeights } = require('../../../lib/options/net/agents')
const { validate } = require('../../../lib/options/validate')
const { readOptions } = require('../../../lib/options/read')
const { problemsIn } = require('../../helpers/options/problems')

const GIVEN = { url: 'http://localhost:3000', agents: 2, redis: 'redis://queue:6379' }

const problemsOf = opts => problemsIn(() => validate({ ...GIVEN, ...opts }))

t.test('how many', async t => {
  t.equal(parseAgents('3'), 3)
  t.equal(parseAgents(10_000), 10_000)
  t.equal(parseAgents('all'), 'all')
  for (const given of [0, -1, 1.5, 10_001, 'none', '', null, true, {}]) t.throws(() => parseAgents(given), { message: /^expected how many agents, from 1 to 10000, or all, got / }, String(given))
})

t.test('where Redis is', async t => {
  for (const [given, url] of [
    ['queue', 'redis://queue'], ['queue:6380', 'redis://queue:6380'], ['redis://queue', 'redis://queue'], ['REDISS://u:p@queue:1/15', 'rediss://u:p@queue:1/15'], [new URL('redis://[::1]:7'), 'redis://[::1]:7']
  ]) t.equal(parseRedis(given), url)
  for (const given of ['', 'http://queue', 'redis://', 'redis://:secret@', 'redis://u:pa/ss@queue', 'redis://queue:0', 'redis://queue:99999', 'redis://queue/x', 'redis://queue?db=1', 7, null]) {
    t.throws(() => parseRedis(given), { message: /^expected/ }, String(given))
  }
  t.throws(() => parseRedis('redis://u:topsecret/@queue'), /^(?!.*topsecret)/s)
  t.match(problemsOf({ redis: 'redis://u:topsecret?@queue' }).join(), /%3F/)
  t.notMatch(problemsOf({ redis: 'redis://u:topsecret?@queue' }).join(), /topsecret/)
})

t.test('weights', async t => {
  t.strictSame(parseWeights('2,1, 1'), [2, 1, 1])
  t.strictSame(parseWeights([3]), [3])
  t.strictSame(parseWeights(3), [3])
  t.strictSame(parseWeights('big=4, small=1'), { big: 4, small: 1 })
  t.strictSame(parseWeights({ 'a=b': 4 }), { 'a=b': 4 })
  for (const given of ['', '1,', '0', '1.5', '1025', 'a=1,2', 'a=1,a=2', {}, [], 'a=', null]) t.throws(() => parseWeights(given), { message: /^expected whole numbers from 1 to 1024/ }, JSON.stringify(given))
})

t.test('what goes together', async t => {
  t.strictSame(problemsOf({}), [])
  t.strictSame(problemsOf({ agents: 'all', weights: '1,2,3' }), [])
  t.strictSame(problemsOf({ weights: [1, 2, 3] }), ['weights: expected one for each of the 2 agents, got 3'])
  t.strictSame(problemsOf({ weights: [1, 2], workers: 2 }), ['weights and workers each set the threads of an agent: use one of them'])
  t.match(problemsOf({ agents: undefined, redis: undefined, onAgentLoss: 'stop' }), [/^onAgentLoss: expected agents as well/])
  t.match(problemsOf({ agents: undefined, modules: 'hooks' }), [/^redis, modules: expected agents as well/])
  t.match(problemsOf({ setupClient () {} }), [/^setupClient: a function does not reach an agent; give the absolute path of a module/])
  t.match(problemsOf({ redis: undefined }), [/^agents: expected redis as well/])
  // What is wrong with it is told once.
  t.equal(problemsOf({ redis: 'http://queue' }).length, 1)
})

t.test('the environment may say where Redis is', async t => {
  const inEnvironment = (/** @type {string} */ url, /** @type {unknown} */ redis) => validate({ ...GIVEN, redis }, undefined, undefined, { AUTOCANNON_REDIS: url }).values.redis
  t.equal(inEnvironment('rediss://u:p@queue:6380', undefined), 'rediss://u:p@queue:6380')
  t.equal(inEnvironment('rediss://u:p@queue:6380', GIVEN.redis), 'redis://queue:6379', 'an option wins')
  t.throws(() => inEnvironment('http://queue', undefined), { problems: ["the environment variable AUTOCANNON_REDIS: expected redis:// or rediss:// (TLS), got 'http://queue'"] })
})

t.test('what a result says of it has no password', async t => {
  const { described } = readOptions({ ...GIVEN, redis: 'redis://u:topsecret@queue:6379' })
  t.equal(described.redis, 'redis://***@queue:6379')
  t.notMatch(JSON.stringify(described), /topsecret/)
})

t.test('workers of agents say nothing about connections', async t => {
  const { values } = readOptions({ ...GIVEN, workers: 8, connections: 2 })
  t.match(values, { workers: 8, connections: 2 })
})
