'use strict'

// Agents in this process, two for each of three runs at the same time, and the Redis where runs meet them. All are started when a test first asks for them, and end with it.

const t = require('tap')
const { execFileSync, spawnSync } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { admit } = require('../../../lib/run/agents/admission')
const { Agent } = require('../../../lib/run/agents/agent')
const { parseAllowed } = require('../../../lib/net/allowed')
const { startLastingThread } = require('../processes/hosts')
const { missing } = require('../missing')

/** Below those that the system gives to clients. */
const PORTS = { from: 20_000, count: 10_000 }

/** @typedef {{ agents: number, redis: string, redisPrefix: string, modules: string }} Options of a run over them */

/** @type {Options | null} */
let known = null

/** Each test with agents asks. @type {boolean | null} */
let hasRedis = null

/** @returns {string | false} why no run over agents can be tested here; false when one can */
function noAgents () {
  hasRedis ??= spawnSync('redis-server', ['--version']).status === 0
  return hasRedis ? false : missing('redis-server is not there: apt-get install redis-server')
}

/** @returns {Options} at once: a run waits until its agents are there */
function withAgents () {
  known ??= start()
  return known
}

/** @returns {Options} */
function start () {
  const { url, stop } = startRedisNow()
  const redis = { url, cluster: false, prefix: 'contract' }
  const modules = path.join(__dirname, '../../..')
  // The sockets of a test are its own.
  const termsFor = (/** @type {import('../../../lib/options/plan').Plan} */ { targets }) => ({ modules, allow: parseAllowed(['all', ...targets.flatMap(({ socketPath }) => socketPath === undefined ? [] : `unix:${socketPath}`)]) })
  const agents = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => new Agent({ redis, name, workers: 1, once: false, key: null, admit: plan => admit(plan, termsFor(plan)), startThread: startLastingThread }, { notify () {}, onEnd () {} }))
  const starting = agents.map(agent => agent.start())
  t.teardown(async () => {
    await Promise.all(starting)
    await Promise.all(agents.map(agent => agent.stop()))
    stop()
  })
  return { agents: 2, redis: url, redisPrefix: redis.prefix, modules }
}

/** @returns {{ url: string, stop: () => void }} a Redis with nothing in it */
function startRedisNow () {
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-redis-'))
  const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
  execFileSync('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--daemonize', 'yes', '--dir', folder, '--pidfile', path.join(folder, 'pid'), '--logfile', path.join(folder, 'log')])
  const ask = (/** @type {string[]} */ ...words) => execFileSync('redis-cli', ['-p', String(port), ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let i = 0; ; i++) {
    try {
      // Another process may have that port.
      if (ask('config', 'get', 'dir').split('\n')[1] === folder) break
    } catch {}
    if (i === 200) throw new Error(`redis-server does not start: ${readFileSync(path.join(folder, 'log'), 'utf8')}`)
    Atomics.wait(pause, 0, 0, 25)
  }
  let isRunning = true
  const stop = () => {
    if (!isRunning) return
    isRunning = false
    process.kill(Number(readFileSync(path.join(folder, 'pid'), 'utf8')), 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  return { url: `redis://127.0.0.1:${port}`, stop }
}

module.exports = { noAgents, withAgents }
