'use strict'

// A run that gathers agents while Redis vanishes: commands wait for Redis to return, and the run must not.

const net = require('node:net')
const { once } = require('node:events')
const t = require('tap')
const { Fleet } = require('../../lib/run/agents/fleet')
const { noRedis, startRedis } = require('../helpers/agents/redis')

/**
 * @param {any} t
 * @param {number} port of Redis
 * @param {number} packets after which it is gone
 * @param {() => void} onGone
 * @returns {Promise<string>} the URL of a Redis that vanishes and stays away
 */
async function vanishing (t, port, packets, onGone) {
  /** @type {Set<net.Socket>} */
  const sockets = new Set()
  let left = packets
  const vanish = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  const server = net.createServer(near => {
    const far = net.connect(port, '127.0.0.1')
    for (const [one, other] of [[near, far], [far, near]]) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => other.destroy())
    }
    far.pipe(near)
    near.on('data', bytes => {
      if (left-- > 0) return far.write(bytes)
      vanish()
      onGone()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(vanish)
  return `redis://127.0.0.1:${/** @type {net.AddressInfo} */ (server.address()).port}`
}

/**
 * @param {string} url of Redis
 * @param {AbortSignal} signal
 * @param {string} prefix
 */
const fleetOf = (url, signal, prefix) => new Fleet({
  redis: { url, cluster: false, prefix },
  agents: 1,
  timeout: 60_000,
  workers: undefined,
  weights: undefined,
  onLoss: 'continue',
  key: null,
  pack: async plan => plan
}, { notify () {}, onGathering () {}, signal })

t.test('a run whose Redis vanishes while it gathers agents ends, whatever it waits for', { skip: noRedis }, async t => {
  const { port } = await startRedis(t)
  // From the first connection to the wait for agents, by way of the clock, the keys of BullMQ and its connections.
  // From the first connection to the wait for agents, by way of the clock, the keys of BullMQ and its connections.
  const moments = Array.from({ length: 13 }, (_, i) => 5 * i)
  await Promise.all(['failure', 'abort'].flatMap(how => moments.map(async packets => {
    const controller = new AbortController()
    const url = await vanishing(t, port, packets, () => {
      // Nearly as if the patience with Redis were at its end.
      if (how === 'failure') fleet.silentTicks = 23
      else controller.abort()
    })
    const fleet = fleetOf(url, controller.signal, `${how}-${packets}`)
    const end = await fleet.gather().then(fleet => fleet, error => error.code)
    t.ok(end === 'AC_REDIS' || (how === 'abort' && end === null), `${how} after ${packets} packets: ${end}`)
  })))
})
