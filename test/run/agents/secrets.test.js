'use strict'

// What stands in Redis while a run over agents goes on, where it says so, and for how long; and what agents say aloud.

const t = require('tap')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { spawn } = require('node:child_process')
const http = require('node:http')
const { setTimeout: sleep } = require('node:timers/promises')
const { Redis } = require('ioredis')
const autocannon = require('../../..')
const { admit } = require('../../../lib/run/agents/admission')
const { Agent } = require('../../../lib/run/agents/agent')
const { parseAllowed } = require('../../../lib/net/allowed')
const { withAgents } = require('../../helpers/agents/agents')
const { noRedis } = require('../../helpers/agents/redis')

const USER = 'us3rname'
const PASSWORD = 'p4ssw0rd'
const TOKEN = 't0k3n'
const BODY = 'b0dy'
const SECRETS = [USER, PASSWORD, TOKEN, BODY, Buffer.from(`${USER}:${PASSWORD}`).toString('base64').replace(/=+$/, '')]

/** @param {string} text */
const secretsIn = text => SECRETS.filter(secret => text.includes(secret))

/**
 * @param {Redis} redis
 * @param {string} key
 * @returns {Promise<string>} all that is in it
 */
async function contentOf (redis, key) {
  // By which a client tries its permissions: its type changes meanwhile.
  if (key.includes(':probe:')) return ''
  switch (await redis.type(key)) {
    case 'string': return String(await redis.get(key))
    case 'hash': return JSON.stringify(await redis.hgetall(key))
    case 'stream': return JSON.stringify(await redis.xrange(key, '-', '+'))
    case 'list': return JSON.stringify(await redis.lrange(key, 0, -1))
    case 'set': return JSON.stringify(await redis.smembers(key))
    case 'zset': return JSON.stringify(await redis.zrange(key, 0, -1))
    default: return ''
  }
}

t.test('secrets of a plan are in the streams of its run alone, which have an end, and in none of it afterwards', { skip: noRedis }, async t => {
  const server = http.createServer((_, response) => response.end('ok'))
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const over = withAgents()
  const redis = new Redis(over.redis)
  t.teardown(() => redis.disconnect())
  let commands = ''
  const watching = spawn('redis-cli', ['-u', over.redis, 'monitor'], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => watching.kill())
  await new Promise(resolve => watching.stdout.on('data', text => { commands += text; resolve(undefined) }))
  const running = autocannon({
    ...over,
    workers: 1,
    url: `http://${USER}:${PASSWORD}@127.0.0.1:${port}/path`,
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: BODY,
    connections: 2,
    duration: 2
  })
  const isOver = running.then(() => true, () => true)
  const seen = new Set()
  do {
    for (const key of await redis.keys('*')) {
      const [left, content] = await Promise.all([redis.pttl(key), contentOf(redis, key)])
      const [, kind, what] = /^\{contract\}:(run|agents?|probe|slices-v[^:]*)(?::[\da-f]+:(\w+))?/.exec(key) ?? []
      seen.add(what ?? kind)
      t.ok(kind, key)
      // A key that was deleted between two questions has none.
      if (kind === 'run') t.ok(left > 0 || left === -2, `${key} has an end`)
      if (what !== 'to') t.strictSame(secretsIn(content), [], `${key} has no secret`)
    }
  } while (!await Promise.race([isOver, sleep(20, false)]))
  const result = await running
  t.equal(result.errors, 0)
  t.ok(result.requests.total > 0)
  const keys = await redis.keys('*')
  t.strictSame(keys.filter(key => key.startsWith('{contract}:run:')), [])
  for (const key of keys) t.strictSame(secretsIn(await contentOf(redis, key)), [], key)
  // Plans were there, and nowhere else than on the way to an agent.
  const told = commands.split('\n').filter(line => secretsIn(line).length > 0).map(line => / "(\w+)" "([^"]*)"/.exec(line) ?? [])
  t.ok(told.length > 0)
  t.strictSame([...new Set(told.map(([, name, key]) => `${name.toLowerCase()} ${key.replace(/[\da-f]{8,}/g, 'ID')}`))], ['xadd {contract}:run:ID:to:ID'])
  t.ok(seen.has('alive'))
})

t.test('a user of Redis who may do what SECURITY.md says is enough for both sides', { skip: noRedis }, async t => {
  const server = http.createServer((_, response) => response.end('ok'))
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  const { redis: url } = withAgents()
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  for (const file of ['SECURITY.md', 'docs/scale-out.md']) {
    const [, rules = ''] = /ACL SETUSER load on '>secret' ([^`\n]*)/.exec(readFileSync(path.join(__dirname, '../../..', file), 'utf8')) ?? []
    const words = rules.replaceAll("'", '').split(' ')
    t.equal(words[0], '~{autocannon}:*', file)
    await redis.acl('SETUSER', 'load', 'reset', 'on', '>secret', ...words)
  }
  const over = url.replace('//', '//load:secret@')
  /** @type {string[]} */
  const told = []
  const agent = new Agent({ redis: { url: over, cluster: false, prefix: 'autocannon' }, name: 'one', workers: 1, once: false, key: null, admit: plan => admit(plan, { allow: parseAllowed('loopback'), modules: null }) }, { notify: sentence => { told.push(sentence) }, onEnd () {} })
  t.teardown(() => agent.stop())
  await agent.start()
  const result = await autocannon({ agents: 1, redis: over, url: `http://127.0.0.1:${port}`, connections: 1, amount: 10 })
  t.equal(result['2xx'], 10)
  t.strictSame(told.filter(sentence => /NOPERM|can't/.test(sentence)), [])
  t.strictSame(await redis.acl('LOG'), [])
})
