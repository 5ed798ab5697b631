'use strict'

// What tools report on a busy machine, beside 0, 1 and 3 processes that never sleep. The truth is the server's own log.
// c: a server that responds after exactly 2 ms has a core of its own, the tool shares the other one with these processes.
// node: a node:http server that responds after a timer of 2 ms, the tool and these processes share two cores.
//
//   node bench/arrival.js [--server c|node] [--rounds 5] [--seconds 3] [--write]
//
// `--write` puts the tables into docs/measuring.md, and of the first one its chart beside it and a sentence into the README. wrk has no rate; what is not on the PATH, or not in
// bench/peers/node_modules, is left out.

const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { LOG, chartOf, claimOf, rowsIn } = require('./arrival/chart')
const { commit, machine } = require('./machine')
const { rewrite, table, withBlock } = require('./markdown')
const { TOOLS, reported } = require('./peers/latencies')
const { median } = require('./peers/paired')
const { locate } = require('./peers/tools')
const { Problem, choose, readFlags, start } = require('./program')

const DELAY = 2
const RATE = 2000
const NEIGHBOURS = [0, 1, 3]
const PAGE = 'docs/measuring.md'
const CHART = path.join(__dirname, '../docs/busy-machine.svg')

/**
 * With a rate, a request waits for a connection while each has one in flight. The log does not know of that. At 20 connections it happens when the server has no core for 10 ms,
 * at 200 for 100 ms.
 * @type {(paced: boolean) => number}
 */
const connectionsOf = paced => paced ? 200 : 20

/** How far p50, p99 and p99.9 may be from those of the server's log, as a share. */
const BOUNDS = [0.03, 0.03, 0.1]
const PERCENTILES = ['p50', 'p99', 'p99.9']

/** @typedef {number[]} Figures p50, p99 and p99.9 in ms */

/**
 * @typedef {object} Server
 * @property {(binary: string, port: number) => string[]} command
 * @property {string} cores of the tool and its neighbours
 * @property {boolean[]} paced its loads: without a rate, with one
 * @property {boolean} exact whether its responses take the same time in each run: its log has one row then, of the runs of autocannon
 * @property {string} about
 */

/** @type {Record<string, Server>} */
const SERVERS = {
  c: {
    command: (binary, port) => ['taskset', '-c', '0', binary, `${port}`, `${DELAY}`],
    cores: '1',
    paced: [false, true],
    exact: true,
    about: `p50 / p99 / p99.9 in ms of a server that responds after exactly ${DELAY} ms, unless its own core is taken away from it: its log says so`
  },
  node: {
    command: (binary, port) => ['taskset', '-c', '0,1', process.execPath, path.join(__dirname, 'arrival/node-server.js'), `${port}`, `${DELAY}`],
    cores: '0,1',
    paced: [false],
    exact: false,
    about: `p50 / p99 / p99.9 in ms of a node:http server that responds after a timer of ${DELAY} ms, on the same two cores as the tool, and in brackets those of its log in the same runs`
  }
}

/** The tools, in the order of the table. */
const NAMES = ['autocannon', 'the same, `--sockets node`', 'autocannon 9', 'wrk', 'oha']

/** @type {(latencies: { p50: number, p99: number, p99_9: number }) => Figures} */
const figuresIn = ({ p50, p99, p99_9: p999 }) => [p50, p99, p999]

/**
 * @param {string[]} serve the command of the server
 * @param {(load: { url: string }) => Promise<any>} run of a tool
 * @param {number} port
 * @returns {Promise<Run>}
 */
async function measure (serve, run, port) {
  const server = spawn(serve[0], serve.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let log = ''
  server.stdout.on('data', bytes => { log += bytes })
  await Promise.race([once(server.stdout, 'data'), once(server, 'close').then(() => { throw new Problem('the server could not listen') })])
  try {
    const latencies = await run({ url: `http://127.0.0.1:${port}` })
    server.kill('SIGTERM')
    await once(server, 'close')
    return { reported: figuresIn(latencies), truth: figuresIn(JSON.parse(/** @type {string} */ (log.trim().split('\n').at(-1)))), waited: latencies.waited ?? false }
  } finally {
    server.kill('SIGKILL')
  }
}

/**
 * @typedef {{ reported: Figures, truth: Figures, waited: boolean }} Run
 * @typedef {Map<string, Run[]>} Found by load, neighbours and tool
 */

/**
 * @param {Server} server
 * @param {string} binary
 * @param {Record<string, string>} tools their paths, by name
 * @param {{ rounds: number, seconds: number, neighbours: Set<import('node:child_process').ChildProcess>, nextPort: () => number }} how
 * @returns {Promise<Found>}
 */
async function roundsOf (server, binary, tools, { rounds, seconds, neighbours, nextPort }) {
  /** @type {Found} */
  const found = new Map()
  const names = Object.keys(tools)
  for (let round = 0; round < rounds; round++) {
    for (const busy of NEIGHBOURS) {
      for (let i = 0; i < busy; i++) neighbours.add(spawn('taskset', ['-c', server.cores, 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }))
      for (const paced of server.paced) {
        for (const name of round % 2 === 0 ? names : [...names].reverse()) {
          if (paced && TOOLS[name].closed) continue
          const port = nextPort()
          const run = ({ url }) => reported(name, tools[name], { url, connections: connectionsOf(paced), seconds, ...paced && { rate: RATE } }, ['taskset', '-c', server.cores])
          const key = `${paced}/${busy}/${name}`
          found.set(key, [...found.get(key) ?? [], await measure(server.command(binary, port), run, port)])
          process.stderr.write('.')
        }
      }
      for (const one of neighbours) one.kill('SIGKILL')
      neighbours.clear()
    }
  }
  process.stderr.write('\n')
  return found
}

/**
 * @param {Server} server
 * @param {Found} found
 * @param {string[]} names of tools
 * @param {{ rounds: number, seconds: number }} how
 * @returns {{ text: string, misses: string[] }}
 */
function shown (server, found, names, { rounds, seconds }) {
  /** @type {string[]} */
  const misses = []
  const load = (/** @type {boolean} */ paced) => paced ? `${RATE.toLocaleString('en')} requests/s` : 'closed loop'
  const runsOf = (/** @type {boolean} */ paced, /** @type {number} */ busy, /** @type {string} */ name) => found.get(`${paced}/${busy}/${name}`) ?? []
  const medians = (/** @type {Figures[]} */ figures) => BOUNDS.map((_, i) => median(figures.map(one => one[i])).toFixed(2)).join(' / ')
  const rows = server.paced.flatMap(paced => names.filter(name => found.has(`${paced}/0/${name}`)).flatMap(name => {
    const cells = NEIGHBOURS.map(busy => {
      const runs = runsOf(paced, busy, name)
      if (name === 'autocannon') misses.push(...missesIn(runs).map(miss => `${load(paced)}, ${busy} busy: ${miss}`))
      const [figures, log] = [medians(runs.map(({ reported }) => reported)), medians(runs.map(({ truth }) => truth))]
      return server.exact ? figures : `${figures} (${log})`
    })
    const row = [load(paced), name, ...cells]
    if (!server.exact || name !== 'autocannon') return [row]
    const logged = NEIGHBOURS.map(busy => medians(runsOf(paced, busy, name).map(({ truth }) => truth)))
    return [[load(paced), LOG, ...logged], row]
  }))
  const about = `${server.about} (${machine()}, commit ${commit()}; ${connectionsOf(false)} connections${server.paced.includes(true) ? `, ${connectionsOf(true)} with a rate` : ''}, median of ${rounds} alternating rounds of ${seconds} s):`
  return { text: `${about}\n\n${table(['load', 'tool', 'no neighbour', '1 busy process', '3 busy processes'], rows)}`, misses }
}

/** @param {Run[]} runs of this tool @returns {string[]} its figures that are out of bounds */
function missesIn (runs) {
  const judged = runs.filter(({ waited }) => !waited)
  if (judged.length === 0) return ['in each run requests waited for a connection, of which the log knows nothing: the server had no core for too long']
  return BOUNDS.flatMap((bound, i) => {
    const ratio = median(judged.map(({ reported, truth }) => reported[i] / truth[i]))
    return Math.abs(ratio - 1) <= bound ? [] : [`${PERCENTILES[i]} is ${ratio.toFixed(3)} of that in the log`]
  })
}

async function main () {
  const { server: only, rounds = 5, seconds = 3, write = false } = readFlags({ server: 'text', rounds: 'count', seconds: 'positive', write: 'boolean' })
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-arrival-'))
  const binary = path.join(folder, 'server')
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const neighbours = new Set()
  process.on('exit', () => {
    for (const one of neighbours) one.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const built = spawnSync('cc', ['-O2', '-o', binary, path.join(__dirname, 'arrival/server.c')], { encoding: 'utf8' })
  if (built.status !== 0) throw new Problem(`the server needs a C compiler: ${built.stderr ?? built.error?.message}`)
  const tools = Object.fromEntries(NAMES.flatMap(name => {
    const file = locate(TOOLS[name].program)
    return file === null ? [] : [[name, file]]
  }))
  // Below those that the system gives to connections.
  let port = 18_500
  for (const name of choose(only, Object.keys(SERVERS))) {
    const server = SERVERS[name]
    const how = { rounds, seconds, neighbours, nextPort: () => ++port }
    const { text, misses } = shown(server, await roundsOf(server, binary, tools, how), Object.keys(tools), how)
    console.log(`${text}\n`)
    if (write) quote(name, text)
    for (const miss of misses) console.log(`Out of bounds: ${miss}`)
    if (misses.length > 0) process.exitCode = 1
  }
}

/**
 * @param {string} name of the server
 * @param {string} text
 */
function quote (name, text) {
  if (name !== 'c') return rewrite(PAGE, page => withBlock(page, `arrival-${name}`, text))
  const rows = rowsIn(text)
  rewrite(PAGE, page => withBlock(page, 'arrival', text))
  rewrite('README.md', page => withBlock(page, 'arrival', claimOf(rows)))
  writeFileSync(CHART, chartOf(rows))
}

start(main)
