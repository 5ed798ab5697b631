'use strict'

// A Redis that can't be used: one line for the run and for the agent alike, with what to do. And the rights that are enough.

const t = require('tap')
const { agent, counter, outcome } = require('../helpers/agents/agent-processes')
const { cli } = require('../helpers/processes/cli')
const { noRedis, startRedis } = require('../helpers/agents/redis')

const options = { skip: noRedis }

/**
 * @param {any} t
 * @param {string} redis
 * @param {RegExp} words
 */
async function refuses (t, redis, words) {
  for (const argv of [['agent'], ['--agents', '1', 'http://127.0.0.1:1']]) {
    const { code, stdout, stderr } = await cli([...argv, '--redis', redis])
    t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: words })
    t.equal(stderr.trim().split('\n').length, 1, `one line: ${stderr}`)
    t.notMatch(stderr, /hidden/)
  }
}

t.test('who gives a wrong password, or none, is told where it stands', options, async t => {
  const redis = await startRedis(t, { flags: ['--requirepass', 'right'], secret: 'right' })
  await refuses(t, redis.url, /can't be used: NOAUTH, it wants a password\. User and password belong in the URL, redis:\/\/user:password@host/)
  await refuses(t, redis.url.replace('//', '//:hidden@'), /WRONGPASS.*redis:\/\/user:password@host/)
})

t.test('a user with the rights that are named does, and one with fewer is told which', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const as = (/** @type {string} */ user) => redis.url.replace('//', `//${user}:hidden@`)
  await redis.client.call('acl', 'setuser', 'keys', 'on', '>hidden', '~other:*', '+@all')
  await redis.client.call('acl', 'setuser', 'commands', 'on', '>hidden', '~{autocannon}:*', '+@read', '+@connection', '+info')
  await refuses(t, as('keys'), /NOPERM.*needs ~\{autocannon\}:\* and \+@read /)
  await refuses(t, as('commands'), /NOPERM.*needs ~\{autocannon\}:\* and \+@read /)
  const { stderr: words } = await cli(['agent', '--redis', as('commands')])
  const [, keys, commands] = /needs (\S+) and (.*?) \(docs/.exec(words) ?? []
  await redis.client.call('acl', 'setuser', 'all', 'on', '>hidden', keys, ...commands.split(' '))
  const one = await agent(t, as('all'), 'one')
  const { code, stderr, result } = await outcome(as('all'), ['--agents', '1', '-c', '1', '-a', '20', server.url])
  t.equal(code, 0, stderr)
  t.equal(result.requests.sent, 20)
  t.notMatch(one.stderr + stderr, /NOPERM|hidden/)
})

t.test('one that takes nothing is told as that: it is full, or a replica', options, async t => {
  const redis = await startRedis(t)
  await redis.client.config('SET', 'maxmemory', '1')
  await refuses(t, redis.url, /OOM/)
  await redis.client.config('SET', 'maxmemory', '0')
  await redis.client.call('replicaof', '127.0.0.1', '1')
  await refuses(t, redis.url, /READONLY|MASTERDOWN/)
})
