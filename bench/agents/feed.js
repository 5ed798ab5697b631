'use strict'

// What a run of many agents costs its coordinator: recorded snapshots come to it as they come from Redis, through links and channels, without a
// Redis. Run as a program, this file feeds what it is told on stdin, and prints what that took.

const { spawn } = require('node:child_process')
const { text } = require('node:stream/consumers')
const { played, prolonged, prolongedLoad } = require('./recording')
const { Problem } = require('../program')
const { Followers } = require('../../lib/follow/followers')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { Link } = require('../../lib/run/agents/link')
const { RemoteChannel } = require('../../lib/run/channel-remote')
const { encode } = require('../../lib/run/codec')
const { Coordinator } = require('../../lib/run/coordinator')

const NOBODY = { response: null, requestError: null, mismatch: null }
const UNSIGNED = { sign: () => '', verify: () => true }

/**
 * @typedef {object} Order
 * @property {number} agents of one generator each
 * @property {Record<string, unknown>} options of the run that was recorded
 * @property {any[][]} recorded snapshots of some generators, encoded: agents take turns
 * @property {number} seconds for which it goes on
 *
 * @typedef {object} Cost
 * @property {number} perSnapshot µs of CPU time
 * @property {number} perSecond s of CPU time that a second of the run takes
 * @property {number} bytes of one snapshot on average, as text
 * @property {number} memory bytes that are kept once all has come
 * @property {number} sent requests of all, as the result has them
 */

async function feed ({ agents, options, recorded, seconds }) {
  const streams = recorded.map(messages => prolonged(messages, seconds))
  const links = []
  const connect = () => {
    const transport = played(({ type }) => {
      if (type === 'open' || type === 'start') setImmediate(() => transport.onMessage(encode({ type: type === 'open' ? 'ready' : 'waiting' })))
    })
    links.push(new Link({ post () {}, deliver: ({ m }) => transport.onMessage(m), now: () => performance.now(), later: setImmediate, signature: UNSIGNED }))
    return transport
  }
  let time = 0
  const plan = buildPlan(validate({ ...options, ...prolongedLoad(options, seconds), connections: agents }).values)
  const followers = new Followers()
  followers.add({ tick () {}, sample () {} })
  const infos = Array.from({ length: agents }, (_, i) => ({ name: `agent-${i}`, host: 'here', cores: 1, node: process.version, workers: 1, clockError: 0 }))
  const coordinator = new Coordinator(plan, agents, (slice, sinks, observer) => new RemoteChannel(slice, sinks, observer, connect, { now: () => time }), followers, NOBODY, [], null, { agents: infos, agentOf: i => i, lead: 0, onLoss: 'continue' })
  // What comes is there before: to make it costs agents, not the coordinator.
  const texts = streams.map(stream => stream.map(message => JSON.stringify([{ c: 0, m: message }])))
  globalThis.gc?.()
  const before = memory()
  const running = coordinator.run()
  while (coordinator.beginsAt === Infinity) await new Promise(resolve => setImmediate(resolve))
  const used = []
  let bytes = 0
  for (let second = 0; second < seconds; second++) {
    time = second * 1000
    const start = process.cpuUsage()
    for (const [i, link] of links.entries()) {
      const p = texts[i % texts.length][second]
      bytes += p.length
      link.receive(entryOf(second + 1, p))
    }
    const { user, system } = process.cpuUsage(start)
    used.push(user + system)
    await new Promise(resolve => setImmediate(resolve))
  }
  globalThis.gc?.()
  const kept = memory() - before
  for (const link of links) link.receive(entryOf(seconds + 1, JSON.stringify([{ c: 0, m: encode({ type: 'end', error: null, usedUp: false }) }])))
  const { outcome, failure } = await running
  if (failure !== null) throw failure
  // The first seconds are those in which the code is compiled.
  const later = used.slice(Math.floor(used.length / 2))
  const perSecond = later.reduce((sum, us) => sum + us, 0) / later.length / 1e6
  return { perSnapshot: perSecond / agents * 1e6, perSecond, bytes: bytes / seconds / agents, memory: kept, sent: outcome.totals.sent }
}

const entryOf = (number, p) => ({ n: String(number), a: '0', p, f: /** @type {const} */ (''), s: '' })

function memory () {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

/** @returns {Promise<Cost>} in a process of its own */
async function costOf (order) {
  const child = spawn(process.execPath, ['--expose-gc', __filename], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(JSON.stringify(order))
  const said = await text(child.stdout)
  if (said === '') throw new Problem(`the coordinator of ${order.agents} agents failed`)
  return JSON.parse(said)
}

if (require.main === module) {
  text(process.stdin).then(order => feed(JSON.parse(order))).then(cost => console.log(JSON.stringify(cost)))
}

module.exports = { costOf }
