'use strict'

// A run of many agents over a real Redis, on this machine: what its coordinator, Redis and the network between them take. All is as it is on many
// machines, but that no agent of them sends load, for which this one has no room: in place of each thread somebody says what was recorded. Run as a
// program, this file has agents, or is the coordinator.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { createInterface } = require('node:readline')
const { played, prolonged, prolongedLoad } = require('./recording')
const { Problem } = require('../program')
const { sharedNow } = require('../../lib/core/clock')
const { encode } = require('../../lib/run/codec')
const { noRedis, startRedis } = require('../../test/helpers/agents/redis')

/** s: how long the load lasts, and from which to which tick it is measured. */
const LASTS = 15
const FROM = 4
const UNTIL = 14

/** Agents in one process. */
const PER_PROCESS = 25

/**
 * @typedef {object} FleetCost
 * @property {number} coordinator share of a core
 * @property {number} redis share of a core
 * @property {number} network bytes per second, to Redis and from it
 * @property {number} memory bytes of the coordinator, its largest
 */

/**
 * @param {number} agents of one generator each
 * @param {Record<string, unknown>} options of the run that was recorded
 * @param {any[][]} recorded snapshots of some generators, encoded: agents take turns
 */
async function costOfFleet (agents, options, recorded) {
  if (noRedis) throw new Problem('there is no redis-server here (Debian: apt-get install redis-server)')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-agents-'))
  const file = path.join(folder, 'recorded.json')
  fs.writeFileSync(file, JSON.stringify(recorded.map(messages => prolonged(messages, LASTS))))
  const started = []
  const ends = [() => { for (const child of started) child.kill('SIGKILL') }, () => fs.rmSync(folder, { recursive: true, force: true })]
  try {
    const { url: redisUrl, client: redis } = await startRedis({ teardown: end => ends.push(end) })
    for (let from = 0; from < agents; from += PER_PROCESS) started.push(program('agents', { redis: redisUrl, file, from, count: Math.min(PER_PROCESS, agents - from) }))
    const coordinator = program('coordinator', { ...options, agents, redis: redisUrl, agentsTimeout: 60, ...prolongedLoad(options, LASTS), connections: agents })
    started.push(coordinator)
    const told = []
    const looks = []
    for await (const line of createInterface({ input: /** @type {import('node:stream').Readable} */ (coordinator.stdout) })) {
      const one = JSON.parse(line)
      told.push(one)
      if (one.tick === FROM || one.tick === UNTIL) looks.push({ ...one, ...figuresIn(await redis.info()) })
    }
    const [before, after] = looks
    const end = told.at(-1)
    if (after === undefined || end.sent !== sentIn(recorded, agents)) throw new Problem(`the run of ${agents} agents failed: ${end?.error ?? `${end?.sent} requests were counted`}`)
    const seconds = (after.at - before.at) / 1000
    return {
      coordinator: (after.cpu - before.cpu) / 1e6 / seconds,
      redis: (after.redisCpu - before.redisCpu) / seconds,
      network: (after.bytes - before.bytes) / seconds,
      memory: end.rss
    }
  } finally {
    for (const end of ends) await end()
  }
}

/** @returns {number} requests of all agents */
const sentIn = (recorded, agents) => Array.from({ length: agents }, (_, i) => prolonged(recorded[i % recorded.length], LASTS)).flat().reduce((sum, { snapshot }) => sum + snapshot.sent, 0)

/** @param {string} info that Redis gives */
function figuresIn (info) {
  const of = (/** @type {string} */ name) => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1])
  return { redisCpu: of('used_cpu_user') + of('used_cpu_sys'), bytes: of('total_net_input_bytes') + of('total_net_output_bytes') }
}

function program (role, order) {
  return spawn(process.execPath, [__filename, role, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, AUTOCANNON_KEY: '' } })
}

/**
 * @param {any[]} snapshots encoded, one for each second
 * @returns {import('../../lib/run/messages').Transport} to nobody, who says that in time
 */
function player (snapshots) {
  let timer
  let next = 0
  const say = (/** @type {any} */ report) => transport.onMessage(encode(report))
  const sample = () => {
    say({ type: 'alive' })
    if (next < snapshots.length) return transport.onMessage(snapshots[next++])
    clearInterval(timer)
    say({ type: 'end', error: null, usedUp: false })
  }
  const transport = played(({ type, at }) => {
    if (type === 'open') setImmediate(say, { type: 'ready' })
    if (type === 'start') setImmediate(say, { type: 'waiting' })
    if (type === 'begin') {
      setTimeout(() => {
        say({ type: 'began', at: sharedNow() })
        timer = setInterval(sample, 1000)
      }, at - sharedNow())
    }
  }, async () => clearInterval(timer))
  return transport
}

const ROLES = {
  async agents ({ redis, file, from, count }) {
    const { Agent } = require('../../lib/run/agents/agent')
    const recorded = JSON.parse(fs.readFileSync(file, 'utf8'))
    for (let i = from; i < from + count; i++) {
      const settings = { redis: { url: redis, cluster: false, prefix: 'autocannon' }, name: `agent-${i}`, workers: 1, once: false, key: null, admit: async (/** @type {any} */ plan) => plan, startThread: () => player(recorded[i % recorded.length]) }
      await new Agent(settings, { notify () {}, onEnd () {} }).start()
    }
  },
  async coordinator (options) {
    const say = (/** @type {object} */ one) => console.log(JSON.stringify(one))
    const running = require('../..')(options)
    let tick = 0
    running.on('tick', () => {
      const { user, system } = process.cpuUsage()
      say({ tick: ++tick, at: performance.now(), cpu: user + system })
    })
    try {
      const { requests: { sent } } = await running
      say({ sent, rss: process.resourceUsage().maxRSS * 1024 })
    } catch (error) {
      say({ error: /** @type {Error} */ (error).message })
    }
  }
}

if (require.main === module) ROLES[process.argv[2]](JSON.parse(process.argv[3]))

module.exports = { costOfFleet }
