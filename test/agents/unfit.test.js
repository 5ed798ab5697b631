'use strict'

// Agents that a run can't use as they are, and those that only look so: another version, clocks that are hours apart, modules that are missing, differ, fail or never
// return; and agents that are too few, or not those that weights are for. Processes, and a Redis of their own.

const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { version } = require('../../package.json')
const { agent, agents, counter, launch, outcome, outcomeOf, run } = require('../helpers/agents/agent-processes')
const { noRedis, startRedis } = require('../helpers/agents/redis')
const { scene } = require('../helpers/scenes')

const options = { skip: noRedis }

/** A second of load. */
const LOAD = ['-c', '4', '--rate', '100', '-a', '100']

/**
 * @param {any} t
 * @param {any} outcome
 * @param {number} code
 * @param {RegExp} line the last one, without a stack trace
 */
function ends (t, { code, stderr, result }, code_, line) {
  t.equal(code, code_, stderr)
  t.match(stderr.trim().split('\n').at(-1), line)
  t.notMatch(stderr, /\n +at /)
  t.equal(result, null)
}

scene('an agent of another version is seen and named, and never taken', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const old = launch(t, ['agent', '--redis', redis.url, '--name', 'old'], { preload: require.resolve('../helpers/agents/another-version') })
  await old.says('stderr', 'waits for runs')
  const going = run(t, redis.url, ['--agents', '1', '--agents-timeout', '3', ...LOAD, server.url])
  await going.says('stderr', 'old has another version, 0.9.0')
  ends(t, await outcomeOf(going), 1, new RegExp(`^autocannon: after 3 s 0 of 1 agents are there; old is of version 0\\.9\\.0, and this is ${version.replaceAll('.', '\\.')}\\. Start more with autocannon agent --redis `))
  await agent(t, redis.url, 'new')
  t.match(await outcome(redis.url, ['--agents', 'all', ...LOAD, server.url]), { code: 0, result: { agents: [{ name: 'new' }], requests: { sent: 100 } } })
  t.notMatch(old.stderr, /works for/)
  t.equal(server.count(), 100)
})

scene('an agent whose own clocks are hours off begins with the others, and its samples are theirs', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const ahead = launch(t, ['agent', '--redis', redis.url, '--name', 'ahead', '--workers', '1'], { preload: require.resolve('../helpers/agents/another-clock') })
  await Promise.all([ahead.says('stderr', 'waits for runs'), agent(t, redis.url, 'right')])
  const { code, stderr, result } = await outcome(redis.url, ['--agents', '2', '-c', '2', '--rate', '100', '-a', '200', server.url])
  t.equal(code, 0, stderr)
  for (const one of result.agents) {
    t.match(one, { lost: null, requests: { sent: 100, total: 100 } }, one.name)
    t.ok(one.skew > -1000 && one.skew < 5000, `hours are 18,000,000 ms: ${one.skew}`)
  }
  t.ok(result.duration < 60, `${result.duration} s`)
  t.ok(Math.abs(new Date(result.start).getTime() - Date.now()) < 600_000, result.start)
  t.equal(server.count(), 200)
})

scene('a module that is missing there, is another one, does not load or throws: a line that names the agent, exit code 1, and the agent takes new work', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-modules-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [here, there] = ['here', 'there'].map(name => path.join(folder, name))
  for (const one of [here, there]) mkdirSync(one)
  const write = (/** @type {string} */ name, /** @type {string[]} */ ...texts) => { for (const [i, text] of texts.entries()) writeFileSync(path.join([here, there][i], `${name}.js`), text) }
  const both = (/** @type {string} */ name, /** @type {string} */ text) => write(name, text, text)
  write('missing', 'module.exports = () => {}')
  write('other', 'module.exports = () => 1', 'module.exports = () => 2')
  both('needs', 'require("./nowhere"); module.exports = () => {}')
  both('throws', 'module.exports = () => { throw new Error("oops") }')
  // On the agent alone, as it loads it in a thread.
  both('never', 'if (!require("node:worker_threads").isMainThread) for (;;); module.exports = () => {}')
  both('fine', 'module.exports = () => {}')
  const one = await agent(t, redis.url, 'one', ['--modules', there])
  const go = (/** @type {string} */ name) => {
    const config = path.join(here, `${name}.json`)
    writeFileSync(config, JSON.stringify({ url: server.url, setupClient: `./${name}.js` }))
    return ['--agents', 'all', ...LOAD, '--modules', here, '--config', config]
  }
  const lines = {
    missing: /^autocannon: agent one: setupClient: the module 'missing\.js' is not in the --modules of this agent: copy it there$/m,
    other: /^autocannon: agent one: setupClient: the module 'other\.js' differs from that in the --modules of this agent/m,
    needs: /^autocannon: agent one: setupClient: could not load the module '.*needs\.js': Cannot find module '\.\/nowhere'/m,
    throws: /^autocannon: agent one: setupClient of connection 0 failed: oops/m
  }
  const goings = Object.entries(lines).map(([name, line]) => ({ name, line, going: outcome(redis.url, go(name)) }))
  for (const { name, line, going } of goings) {
    const { code, stderr, result } = await going
    t.equal(code, 1, name)
    t.match(stderr, line)
    t.notMatch(stderr, /\n +at .*\n +at /, 'no stack trace')
    t.equal(result, null)
  }
  t.match(one.stderr, /^autocannon agent: run [\da-f]{8} refused: setupClient: the module 'missing\.js' is not in the --modules of this agent: copy it there$/m, 'its own log says so')
  t.match(one.stderr, /^autocannon agent: run [\da-f]{8}: setupClient of connection 0 failed: oops/m)
  const works = one.stderr.split('works for run').length
  const never = run(t, redis.url, go('never'))
  await one.says('stderr', 'works for run', works)
  never.kill('SIGINT')
  t.match(await never.ended, { code: 130 }, 'a hook that does not return delays no end')
  t.match(await outcome(redis.url, go('fine')), { code: 0, result: { agents: [{ name: 'one', lost: null }], requests: { sent: 100 } } })
  await one.says('stderr', 'has ended: 100 requests')
  t.notMatch(one.stderr, /a worker thread ended/, 'a thread that has done its part is no news')
  one.kill('SIGTERM')
  await one.ended
  await agent(t, redis.url, 'two')
  ends(t, await outcome(redis.url, go('fine')), 1, /^autocannon: agent two: setupClient: the module 'fine\.js' is code, and this agent runs none: start it with --modules DIR/)
  t.equal(server.count(), 100)
})

scene('an agent that lacks the module of users, or may not reach the server, refuses before `setup` has sent anything', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-modules-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [here, there] = ['here', 'there'].map(name => path.join(folder, name))
  for (const one of [here, there]) mkdirSync(one)
  const text = 'export async function setup ({ http }) { await http.get("/setup") }\nexport default async ({ http }) => { await http.get("/") }\n'
  writeFileSync(path.join(here, 'shop.mjs'), text)
  const go = () => outcome(redis.url, ['-u', path.join(here, 'shop.mjs'), server.url, '--agents', 'all', '-c', '2', '-a', '20', '--modules', here])
  const one = await agent(t, redis.url, 'one', ['--modules', there])
  ends(t, await go(), 1, /^autocannon: agent one: user: the module 'shop\.mjs' is not in the --modules of this agent: copy it there$/)
  t.match(one.stderr, /^autocannon agent: run [\da-f]{8} refused: user: the module 'shop\.mjs' is not in/m)
  t.equal(server.count(), 0, '`setup` was not called')
  writeFileSync(path.join(there, 'shop.mjs'), text)
  t.match(await go(), { code: 0, result: { agents: [{ name: 'one', lost: null }], requests: { sent: 20 } } })
  t.equal(server.count(), 21)
  one.kill('SIGTERM')
  await one.ended
  await agent(t, redis.url, 'two', ['--modules', there, '--allow', 'example.org'])
  ends(t, await go(), 1, /^autocannon: agent two: .*--allow/)
  t.equal(server.count(), 21)
})

scene('too few agents, or not those that weights are for: a line with who is there, and nothing of the run stays', options, async t => {
  const redis = await startRedis(t)
  const server = await counter(t)
  await agents(t, redis.url, ['one', 'two'])
  const go = (/** @type {string[]} */ ...argv) => outcome(redis.url, [...argv, ...LOAD, server.url])
  ends(t, await go('--agents', '3', '--agents-timeout', '1'), 1, /^autocannon: after 1 s 2 of 3 agents are there \((one, two|two, one)\)\. Start more with autocannon agent --redis /)
  const { stderr } = await go('--agents', 'all', '--weights', '1,2,3')
  t.match(stderr, /^autocannon: weights: expected one for each of the 2 agents that came, got 3 by --weights$/m)
  ends(t, await go('--agents', '2', '--weights', 'one=1,three=2', '--agents-timeout', '2'), 1, /^autocannon: after 2 s 1 of 2 agents are there \(one\); two came, and --weights name others\. Start more with /)
  const { code, stderr: words } = await go('--agents', 'all', '--weights', 'one=1,three=2')
  t.equal(code, 2)
  t.match(words, /^autocannon: weights: expected one for each agent by its name, got none for two \(it came\), one for three \(it did not come\): change --weights$/m)
  t.strictSame((await redis.keys()).filter(key => /:(run:.*|wait|active|stalled|\w+-\d+)$/.test(key)), [], 'neither jobs nor streams')
  t.match(await go('--agents', '2', '--weights', 'one=1,two=3'), { code: 0, result: { agents: [{ workers: 1 }, { workers: 3 }], requests: { sent: 100 } } })
  t.equal(server.count(), 100)
})
