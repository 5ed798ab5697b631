'use strict'

// What a request costs: this tool beside autocannon 9.0.0, wrk and ab, and oha, hey and k6 where they are on the PATH.
//
//   npm run bench -- [--only p1,p10] [--rounds 3] [--seconds 5] [--emulated]
//
// Each program runs on a core of its own, the server on the other, in turns: the cost is that of the round with the lowest,
// which is the one that other programs disturbed least. It exits with 1 when a ratio is above what bench/peers/cases.js allows.
// Where instructions are counted, the cost is that of a warm program, and what it costs once stands beside it (peers/warm.js).
//
// `--emulated` does all that in a machine that QEMU emulates and whose instructions can be counted (bench/emulation).

const os = require('node:os')
const { parseArgs } = require('node:util')
const { CORE } = require('./emulation/counter')
const { CASES } = require('./peers/cases')
const { measure, findCounter, pinTo } = require('./peers/cost')
const { startOwn, startNginx, answeredBy } = require('./peers/server')
const { findTools } = require('./peers/tools')

const SERVER_CORE = 0
const OPTIONS = { only: { type: 'string' }, rounds: { type: 'string' }, seconds: { type: 'string' }, emulated: { type: 'boolean', default: false } }

const COLUMNS = ['case', 'tool', 'cost', 'once, million', 'requests/s', 'MB/s', 'p50 ms', 'p99 ms', 'highest RSS', 'cost of ours']

/** `seconds` are those of the measured program; in the emulated machine it needs more to get warm, and each takes longer. */
const DEFAULTS = { real: { rounds: 3, seconds: 5 }, emulated: { rounds: 1, seconds: 10 } }

/** The part of a rate that has to be reached for its cost to be judged. */
const HELD = 0.99

/** s that the emulated machine may be silent, by the seconds of a run: it says when it starts with a tool. */
const limit = seconds => 300 + 20 * seconds

async function main () {
  const { only, emulated, ...given } = readFlags()
  const defaults = emulated ? DEFAULTS.emulated : DEFAULTS.real
  const [rounds, seconds] = [Number(given.rounds ?? defaults.rounds), Number(given.seconds ?? defaults.seconds)]
  const names = only === undefined ? Object.keys(CASES) : only.split(',')
  const unknown = names.find(name => !Object.hasOwn(CASES, name))
  if (unknown !== undefined) refuse(`There is no case "${unknown}"; there are ${Object.keys(CASES).join(', ')}`)
  const { tools, missing } = findTools()
  if (emulated && process.env.EMULATION === undefined) {
    const { runInMachine } = require('./emulation/machine')
    process.exitCode = await runInMachine([process.execPath, ...process.argv.slice(1)], limit(Math.max(...names.map(name => secondsOf(name, seconds)))))
    return
  }
  const counter = findCounter()
  const servers = { own: await startOwn(pinTo(SERVER_CORE)), nginx: await startNginx(pinTo(SERVER_CORE)) }
  if (servers.nginx === null) missing.push('nginx (its cases run against the server of this bench)')
  console.log(`Node.js ${process.version}, ${os.cpus().length} ${emulated ? 'emulated ' : ''}cores, ${new Date().toISOString().slice(0, 10)}; ` +
    `${rounds} rounds of ${seconds} s; cost in ${counter === null ? 'µs of CPU time' : '1,000 instructions'} per completed request\n`)
  if (emulated) console.log('Rates and latencies are those of a slow machine; only costs and ratios say something about others.\n')
  if (missing.length > 0) console.log(`Missing here: ${missing.join(', ')}\n`)
  try {
    /** @type {Record<string, Record<string, Row>>} */
    const rows = {}
    for (const name of names) {
      rows[name] = await compare(name, tools, servers, { rounds, seconds: secondsOf(name, seconds), counter })
      progress('')
      if (name === names[0]) console.log(line(COLUMNS) + '\n' + line(COLUMNS.map(() => '---')))
      print(CASES[name], rows[name])
    }
    process.exitCode = judge(rows) ? 0 : 1
  } finally {
    servers.own.stop()
    servers.nginx?.stop()
  }
}

function readFlags () {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    return refuse(error.message)
  }
}

/**
 * @param {string} problem with what the user gave
 * @returns {never}
 */
function refuse (problem) {
  console.error(problem)
  process.exit(2)
}

/**
 * @typedef {import('./peers/tools').Figures & { cost: number, once?: number, rss: number, rate: number, bytesPerSecond: number }} Row
 * @param {string} name of the case
 * @param {Record<string, import('./peers/tools').Tool>} tools
 * @param {{ own: import('./peers/server').Servers, nginx: import('./peers/server').Servers | null }} servers
 * @param {{ rounds: number, seconds: number, counter: import('./peers/cost').Counter | null }} how
 * @returns {Promise<Record<string, Row>>} by tool
 */
async function compare (name, tools, servers, { rounds, seconds, counter }) {
  const { options, server = 'plain', own = false, rate, tools: others = [] } = CASES[name]
  const { [server]: port, status } = own ? servers.own : servers.nginx ?? servers.own
  const url = `${server === 'tls' ? 'https' : 'http'}://127.0.0.1:${port}`
  const load = { name, url, connections: options.connections ?? 100, pipelining: options.pipelining ?? 1, seconds, rate }
  /** @type {Record<string, Row>} */
  const best = {}
  for (let round = 0; round < rounds; round++) {
    for (const tool of ['ours', 'autocannon 9', ...others]) {
      if (tools[tool] === undefined) continue
      const command = [...pinTo(CORE), ...tools[tool].command(load)]
      progress(`${name}: ${tool}`)
      const { stdout, cpu, instructions, requests, once, rss } = await measure(command, { counter, answered: () => answeredBy(status) })
      const figures = tools[tool].read(stdout)
      if (figures.failed > 0) throw new Error(`${tool}, ${name}: ${figures.failed} requests failed`)
      const cost = (instructions === null ? cpu * 1e6 : instructions / 1000) / (requests ?? figures.count)
      if (best[tool] !== undefined && best[tool].cost <= cost) continue
      best[tool] = { ...figures, cost, once, rss, rate: figures.count / load.seconds, bytesPerSecond: figures.bytes / load.seconds }
    }
  }
  return best
}

/** @param {string} text what is being done; it stands until the next */
function progress (text) {
  if (process.stderr.isTTY && process.env.TERM !== 'dumb') process.stderr.write(`\r\x1b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}

/** @type {(name: string, seconds: number) => number} s that a case runs when so many were asked for */
const secondsOf = (name, seconds) => Math.max(seconds, CASES[name].secondsAtLeast ?? 0)

/** @param {string[]} cells */
const line = cells => `| ${cells.join(' | ')} |`

/**
 * @param {import('./peers/cases').Case} case_
 * @param {Record<string, Row>} rows
 */
function print ({ name, atMost = {} }, rows) {
  for (const [tool, { cost, once, rate, bytesPerSecond, p50, p99, rss }] of Object.entries(rows)) {
    const ratio = tool === 'ours' ? '' : `${(rows.ours.cost / cost).toFixed(2)}${atMost[tool] === undefined ? '' : ` (≤ ${atMost[tool].toFixed(2)})`}`
    console.log(line([tool === 'ours' ? name : '', tool, cost.toFixed(2), once === undefined ? '' : Math.round(once / 1e6).toLocaleString('en'), Math.round(rate).toLocaleString('en'),
      bytesPerSecond === 0 ? '' : (bytesPerSecond / 1e6).toFixed(0), show(p50), show(p99), `${(rss / 2 ** 20).toFixed(0)} MiB`, ratio]))
  }
}

/** @param {number | undefined} ms */
const show = ms => ms === undefined || Number.isNaN(ms) ? '' : ms.toPrecision(3)

/**
 * @param {Record<string, Record<string, Row>>} rows by case and tool
 * @returns {boolean} whether every ratio is within its bound, and the rate was held
 */
function judge (rows) {
  const misses = []
  for (const [name, { ours, ...others }] of Object.entries(rows)) {
    const { name: title, atMost = {}, bytesAtLeast, rate } = CASES[name]
    // Who falls behind has no idle time left, and each request costs less: that would pass for cheap.
    if (rate !== undefined && ours.rate < HELD * rate) {
      misses.push(`${title}: only ${Math.round(ours.rate).toLocaleString('en')} requests/s, so its cost is not that of the rate (is the machine busy?)`)
    }
    for (const [other, limit] of Object.entries(atMost)) {
      const reference = others[other] ?? rows[other]?.ours
      const ratio = ours.cost / reference?.cost
      if (ratio > limit) misses.push(`${title}: ${ratio.toFixed(2)} × ${CASES[other] === undefined ? other : `our ${CASES[other].name}`}, at most ${limit.toFixed(2)}`)
    }
    const nine = others['autocannon 9']
    if (bytesAtLeast !== undefined && nine !== undefined && ours.bytesPerSecond < bytesAtLeast * nine.bytesPerSecond) {
      misses.push(`${title}: ${(ours.bytesPerSecond / nine.bytesPerSecond).toFixed(2)} × the bytes/s of autocannon 9, at least ${bytesAtLeast}`)
    }
  }
  console.log(misses.length === 0 ? '\nEvery ratio is within its bound.' : `\nOut of bounds:\n${misses.map(miss => `- ${miss}`).join('\n')}`)
  return misses.length === 0
}

main()
