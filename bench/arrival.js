'use strict'

// What tools report on a busy machine, beside 0, 1 and 3 processes that never sleep. The truth is the server's own log.
// c: a server that responds after exactly 2 ms has a core of its own, the tool shares the other one with these processes.
// node: a node:http server that responds after a timer of 2 ms, the tool and these processes share two cores.
//
//   node bench/arrival.js [--server c|node] [--rounds 5] [--seconds 2] [--write]
//
// `--write` puts the tables into docs/measuring.md, and of the first one its chart beside it and a sentence into the README. wrk has no rate; what is not on the PATH, or not in
// bench/peers/node_modules, is left out.

const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { existsSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { LOG, chartOf, claimOf, rowsIn } = require('./arrival/chart')
const { commit, machine } = require('./machine')
const { rewrite, table, withBlock } = require('./markdown')
const { median } = require('./peers/paired')
const { Problem, choose, readFlags, start } = require('./program')

const DELAY = 2
const RATE = 2000
const CONNECTIONS = 20
const NEIGHBOURS = [0, 1, 3]
const PAGE = 'docs/measuring.md'
const CHART = path.join(__dirname, '../docs/busy-machine.svg')
const AUTOCANNON_9 = path.join(__dirname, 'peers/node_modules/.bin/autocannon')

/** How far p50, p99 and p99.9 may be from those of the server's log, as a share. */
const BOUNDS = [0.03, 0.03, 0.1]

/** @typedef {number[]} Figures p50, p99 and p99.9 in ms */

/**
 * @typedef {object} Server
 * @property {(binary: string, port: number) => string[]} command
 * @property {string} cores of the tool and its neighbours
 * @property {boolean[]} paced its loads: without a rate, with one. With a rate a request waits for a connection, of which a log knows nothing
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

const OURS = path.join(__dirname, '../bin/autocannon.js')

const figuresIn = latency => [latency.p50, latency.p99, latency.p99_9]

const ours = text => figuresIn(JSON.parse(text).latency)

const TOOLS = {
  autocannon: { command: (url, seconds, paced) => [process.execPath, OURS, '--json', '-c', `${CONNECTIONS}`, '-d', `${seconds}`, ...paced ? ['--rate', `${RATE}`] : [], url], read: ours },
  'the same, `--sockets node`': { command: (url, seconds, paced) => [process.execPath, OURS, '--json', '--sockets', 'node', '-c', `${CONNECTIONS}`, '-d', `${seconds}`, ...paced ? ['--rate', `${RATE}`] : [], url], read: ours },
  'autocannon 9': { command: (url, seconds, paced) => [process.execPath, AUTOCANNON_9, '--json', '-c', `${CONNECTIONS}`, '-d', `${seconds}`, ...paced ? ['-R', `${RATE}`] : [], url], read: ours, there: () => existsSync(AUTOCANNON_9) },
  wrk: { command: (url, seconds, paced) => paced ? null : ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', path.join(__dirname, 'arrival/wrk.lua'), url], read: lastLine, there: () => has('wrk') },
  oha: { command: (url, seconds, paced) => ['oha', '--no-tui', '--output-format', 'json', '-c', `${CONNECTIONS}`, '-z', `${seconds}s`, ...paced ? ['-q', `${RATE}`, '--latency-correction'] : [], url], read: text => ['p50', 'p99', 'p99.9'].map(key => JSON.parse(text).latencyPercentiles[key] * 1000), there: () => has('oha') }
}

/** @param {string} text whose last line is JSON */
function lastLine (text) {
  return figuresIn(JSON.parse(/** @type {string} */ (text.trim().split('\n').at(-1))))
}

const has = name => spawnSync('which', [name]).status === 0

/**
 * @param {string[]} serve the command of the server
 * @param {string} cores of the tool
 * @param {string[]} command of the tool
 * @param {(text: string) => Figures} read
 * @returns {Promise<{ reported: Figures, truth: Figures }>}
 */
async function measure (serve, cores, command, read) {
  const server = spawn(serve[0], serve.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let log = ''
  server.stdout.on('data', bytes => { log += bytes })
  await Promise.race([once(server.stdout, 'data'), once(server, 'close').then(() => { throw new Problem('the server could not listen') })])
  try {
    const { status, stdout, stderr } = await run(cores, command)
    if (status !== 0) throw new Problem(`${command[0]} ended with ${status}: ${stderr.slice(-300)}`)
    server.kill('SIGTERM')
    await once(server, 'close')
    return { reported: read(stdout), truth: lastLine(log) }
  } finally {
    server.kill('SIGKILL')
  }
}

/**
 * @param {string} cores that it shares with its neighbours
 * @param {string[]} command
 */
async function run (cores, command) {
  const child = spawn('taskset', ['-c', cores, ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', bytes => { stdout += bytes })
  child.stderr.on('data', bytes => { stderr += bytes })
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}

/** @typedef {Map<string, Array<{ reported: Figures, truth: Figures }>>} Found by load, neighbours and tool */

/**
 * @param {Server} server
 * @param {string} binary
 * @param {string[]} names of tools
 * @param {{ rounds: number, seconds: number, neighbours: Set<import('node:child_process').ChildProcess>, nextPort: () => number }} how
 * @returns {Promise<Found>}
 */
async function roundsOf (server, binary, names, { rounds, seconds, neighbours, nextPort }) {
  /** @type {Found} */
  const found = new Map()
  for (let round = 0; round < rounds; round++) {
    for (const busy of NEIGHBOURS) {
      for (let i = 0; i < busy; i++) neighbours.add(spawn('taskset', ['-c', server.cores, 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }))
      for (const paced of server.paced) {
        for (const name of round % 2 === 0 ? names : [...names].reverse()) {
          const port = nextPort()
          const command = TOOLS[name].command(`http://127.0.0.1:${port}`, seconds, paced)
          if (command === null) continue
          const key = `${paced}/${busy}/${name}`
          found.set(key, [...found.get(key) ?? [], await measure(server.command(binary, port), server.cores, command, TOOLS[name].read)])
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
 * @returns {{ text: string, isWithin: boolean }}
 */
function shown (server, found, names, { rounds, seconds }) {
  let isWithin = true
  const load = (/** @type {boolean} */ paced) => paced ? `${RATE.toLocaleString('en')} requests/s` : 'closed loop'
  const runsOf = (/** @type {boolean} */ paced, /** @type {number} */ busy, /** @type {string} */ name) => found.get(`${paced}/${busy}/${name}`) ?? []
  const medians = (/** @type {Figures[]} */ figures) => BOUNDS.map((_, i) => median(figures.map(one => one[i])).toFixed(2)).join(' / ')
  const rows = server.paced.flatMap(paced => names.filter(name => found.has(`${paced}/0/${name}`)).flatMap(name => {
    const cells = NEIGHBOURS.map(busy => {
      const runs = runsOf(paced, busy, name)
      const within = BOUNDS.every((bound, i) => Math.abs(median(runs.map(({ reported, truth }) => reported[i] / truth[i])) - 1) <= bound)
      if (name === 'autocannon' && !within) isWithin = false
      const [figures, log] = [medians(runs.map(({ reported }) => reported)), medians(runs.map(({ truth }) => truth))]
      return server.exact ? figures : `${figures} (${log})`
    })
    const row = [load(paced), name, ...cells]
    if (!server.exact || name !== 'autocannon') return [row]
    const logged = NEIGHBOURS.map(busy => medians(runsOf(paced, busy, name).map(({ truth }) => truth)))
    return [[load(paced), LOG, ...logged], row]
  }))
  const about = `${server.about} (${machine()}, commit ${commit()}; ${CONNECTIONS} connections, median of ${rounds} alternating rounds of ${seconds} s):`
  return { text: `${about}\n\n${table(['load', 'tool', 'no neighbour', '1 busy process', '3 busy processes'], rows)}`, isWithin }
}

async function main () {
  const { server: only, rounds = 5, seconds = 2, write = false } = readFlags({ server: 'text', rounds: 'count', seconds: 'positive', write: 'boolean' })
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
  const names = Object.keys(TOOLS).filter(name => TOOLS[name].there?.() ?? true)
  // Below those that the system gives to connections.
  let port = 18_500
  for (const name of choose(only, Object.keys(SERVERS))) {
    const server = SERVERS[name]
    const how = { rounds, seconds, neighbours, nextPort: () => ++port }
    const { text, isWithin } = shown(server, await roundsOf(server, binary, names, how), names, how)
    console.log(`${text}\n`)
    if (write) quote(name, text)
    if (!isWithin) process.exitCode = 1
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
