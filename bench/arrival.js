'use strict'

// What tools report on a busy machine: a server that responds after exactly 2 ms has a core of its own, the tool shares the other one with 0, 1 and 3
// processes that never sleep. The truth is the server's own log.
//
//   node bench/arrival.js [--rounds 5] [--seconds 2] [--write]
//
// `--write` puts the table into docs/measuring.md, its chart beside it, and a sentence into the README. wrk has no rate; what is not on the PATH, or not in bench/peers/node_modules, is left out.

const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { machine } = require('./accuracy/machine')
const { chartOf, claimOf, rowsIn, withBlock } = require('./arrival/chart')
const { Problem, readFlags, start } = require('./program')

const DELAY = 2
const RATE = 2000
const CONNECTIONS = 20
const NEIGHBOURS = [0, 1, 3]
const PAGE = path.join(__dirname, '../docs/measuring.md')
const CHART = path.join(__dirname, '../docs/busy-machine.svg')
const README = path.join(__dirname, '../README.md')
const AUTOCANNON_9 = path.join(__dirname, 'peers/node_modules/.bin/autocannon')

/** How far p50, p99 and p99.9 may be from those of the server's log, as a share. */
const BOUNDS = [0.03, 0.03, 0.1]

/** @typedef {number[]} Figures p50, p99 and p99.9 in ms */

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

const median = values => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** @param {string} binary of the server */
async function measure (binary, port, command, read) {
  const server = spawn('taskset', ['-c', '0', binary, `${port}`, `${DELAY}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  let log = ''
  server.stdout.on('data', bytes => { log += bytes })
  await Promise.race([once(server.stdout, 'data'), once(server, 'close').then(() => { throw new Problem(`the server could not listen on port ${port}`) })])
  try {
    const { status, stdout, stderr } = await run(command)
    if (status !== 0) throw new Problem(`${command[0]} ended with ${status}: ${stderr.slice(-300)}`)
    server.kill('SIGTERM')
    await once(server, 'close')
    return { reported: read(stdout), truth: lastLine(log) }
  } finally {
    server.kill('SIGKILL')
  }
}

/** @param {string[]} command that shares a core with its neighbours */
async function run (command) {
  const child = spawn('taskset', ['-c', '1', ...command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', bytes => { stdout += bytes })
  child.stderr.on('data', bytes => { stderr += bytes })
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}

async function main () {
  const { rounds = 5, seconds = 2, write = false } = readFlags({ rounds: 'count', seconds: 'positive', write: 'boolean' })
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-arrival-'))
  const binary = path.join(folder, 'server')
  const neighbours = []
  const stop = () => { while (neighbours.length > 0) neighbours.pop().kill('SIGKILL') }
  process.on('exit', () => {
    stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const built = spawnSync('cc', ['-O2', '-o', binary, path.join(__dirname, 'arrival/server.c')], { encoding: 'utf8' })
  if (built.status !== 0) throw new Problem(`the server needs a C compiler: ${built.stderr ?? built.error?.message}`)
  const names = Object.keys(TOOLS).filter(name => TOOLS[name].there?.() ?? true)
  const found = new Map()
  // Below those that the system gives to connections.
  let port = 18_500
  for (let round = 0; round < rounds; round++) {
    for (const busy of NEIGHBOURS) {
      for (let i = 0; i < busy; i++) neighbours.push(spawn('taskset', ['-c', '1', 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' }))
      for (const paced of [false, true]) {
        for (const name of round % 2 === 0 ? names : [...names].reverse()) {
          const command = TOOLS[name].command(`http://127.0.0.1:${++port}`, seconds, paced)
          if (command === null) continue
          const key = `${paced}/${busy}/${name}`
          found.set(key, [...found.get(key) ?? [], await measure(binary, port, command, TOOLS[name].read)])
          process.stderr.write('.')
        }
      }
      stop()
    }
  }
  process.stderr.write('\n')
  let isWithin = true
  const rows = [false, true].flatMap(paced => names.filter(name => found.has(`${paced}/0/${name}`)).map(name => {
    const cells = NEIGHBOURS.map(busy => {
      const runs = found.get(`${paced}/${busy}/${name}`)
      const figures = BOUNDS.map((bound, i) => {
        const ratio = median(runs.map(({ reported, truth }) => reported[i] / truth[i]))
        if (name === 'autocannon' && Math.abs(ratio - 1) > bound) isWithin = false
        return median(runs.map(({ reported }) => reported[i])).toFixed(2)
      })
      return figures.join(' / ')
    })
    return `| ${paced ? `${RATE.toLocaleString('en')} requests/s` : 'closed loop'} | ${name} | ${cells.join(' | ')} |`
  }))
  const commit = spawnSync('git', ['log', '-1', '--format=%h', '--', 'lib', 'native'], { cwd: path.join(__dirname, '..'), encoding: 'utf8' }).stdout.trim()
  const table = [
    `p50 / p99 / p99.9 in ms of a server that responds after exactly ${DELAY} ms (${machine()}, commit ${commit}; ${CONNECTIONS} connections, median of ${rounds} alternating rounds of ${seconds} s):`,
    '',
    '| load | tool | no neighbour | 1 busy process | 3 busy processes |',
    '|---|---|---|---|---|',
    ...rows
  ].join('\n')
  console.log(table)
  if (write) {
    const rows = rowsIn(table)
    for (const [file, text] of [[PAGE, table], [README, claimOf(rows)]]) writeFileSync(file, withBlock(readFileSync(file, 'utf8'), text))
    writeFileSync(CHART, chartOf(rows))
  }
  if (!isWithin) process.exitCode = 1
}

start(main)
