'use strict'

// What tests of agents start: agents and runs as processes, a server that counts, and a way to Redis that can be cut.

const http = require('node:http')
const net = require('node:net')
const { once } = require('node:events')
const { setTimeout: sleep } = require('node:timers/promises')
const { cli, start } = require('../processes/cli')

/** What a test that ends badly leaves behind. @type {Set<import('../processes/cli').Running>} */
const running = new Set()
process.on('exit', () => { for (const one of running) one.child.kill('SIGKILL') })

/**
 * @param {any} t
 * @param {string[]} argv
 * @param {Parameters<typeof start>[1]} [options]
 * @returns {import('../processes/cli').Running} ended with the test
 */
function launch (t, argv, options) {
  const one = start(argv, options)
  running.add(one)
  one.ended.then(() => running.delete(one), () => running.delete(one))
  t.teardown(async () => {
    one.kill('SIGKILL')
    await one.ended
  })
  return one
}

/**
 * @param {any} t
 * @param {string} url of Redis
 * @param {string} name
 * @param {string[]} [more]
 */
async function agent (t, url, name, more = []) {
  const one = launch(t, ['agent', '--redis', url, '--name', name, '--workers', '1', ...more])
  await one.says('stderr', 'waits for runs')
  return one
}

/**
 * @param {any} t
 * @param {string} url of Redis
 * @param {string[]} names
 */
const agents = (t, url, names) => Promise.all(names.map(name => agent(t, url, name)))

/**
 * @param {any} t
 * @param {string} redis its URL
 * @param {string[]} argv
 * @param {Parameters<typeof start>[1]} [options]
 */
const run = (t, redis, argv, options) => launch(t, ['--redis', redis, '--json', ...argv], options)

/**
 * @param {import('../processes/cli').Running} one
 * @returns {Promise<any>} its result, its exit code and what it said
 */
async function outcomeOf (one) {
  const { code, stdout, stderr } = await one.ended
  return { code, stderr, result: stdout === '' ? null : JSON.parse(stdout) }
}

/**
 * A run that ends by itself, in a process that has had runs before: to start one takes as much CPU time as the run.
 * @param {string} redis its URL
 * @param {string[]} argv
 * @returns {Promise<any>} its result, its exit code and what it said
 */
async function outcome (redis, argv) {
  const { code, stdout, stderr } = await cli(['--redis', redis, '--json', ...argv])
  return { code, stderr, result: stdout === '' ? null : JSON.parse(stdout) }
}

/**
 * @param {any} t
 * @returns {Promise<{ url: string, count: (path?: string) => number, still: (ms: number) => Promise<void> }>} a server that counts what it gets
 */
async function counter (t) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  let last = -Infinity
  let count = 0
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    last = performance.now()
    count++
    counts.set(String(request.url), (counts.get(String(request.url)) ?? 0) + 1)
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => new Promise(resolve => {
    server.close(resolve)
    server.closeAllConnections()
  }))
  return {
    url: `http://127.0.0.1:${/** @type {net.AddressInfo} */ (server.address()).port}`,
    count: path => path === undefined ? count : counts.get(path) ?? 0,
    /** Resolves once nothing has come for so long. */
    async still (ms) {
      while (performance.now() - last < ms) await sleep(20)
    }
  }
}

/**
 * @param {() => unknown} holds
 * @param {number} [ms]
 */
async function until (holds, ms = 30_000) {
  const end = performance.now() + ms
  while (!await holds()) {
    if (performance.now() > end) throw new Error(`it has not come true: ${holds}`)
    await sleep(20)
  }
}

/**
 * A way to Redis that loses every packet while it is cut.
 * @param {any} t
 * @param {number} port of Redis
 */
async function cable (t, port) {
  /** @type {Set<net.Socket>} */
  const sockets = new Set()
  let isCut = false
  const server = net.createServer(near => {
    const far = net.connect(port, '127.0.0.1')
    for (const [one, other] of [[near, far], [far, near]]) {
      sockets.add(one)
      one.on('data', bytes => { if (!isCut) other.write(bytes) })
      one.on('error', () => {}).on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => { for (const socket of sockets) socket.destroy() }
  t.teardown(() => new Promise(resolve => {
    server.close(resolve)
    close()
  }))
  return {
    url: `redis://127.0.0.1:${/** @type {net.AddressInfo} */ (server.address()).port}`,
    cut () { isCut = true },
    /** Connections that have lost packets are of no use. */
    mend () {
      isCut = false
      close()
    },
    /** Connections end, and may be made anew. */
    reset: close
  }
}

module.exports = { agent, agents, cable, counter, launch, outcome, outcomeOf, run, until }
