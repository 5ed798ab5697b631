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
const { slowed } = require('./emulation/counter')
const { start, readFlags, choose, Problem } = require('./program')
const { CASES } = require('./peers/cases')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, perRequest, findCounter } = require('./peers/cost')
const { judge, ratiosOf, isHeld, titleOf } = require('./peers/judge')
const { startOwn, startNginx, answeredBy } = require('./peers/server')
const { findTools } = require('./peers/tools')

/** @typedef {import('./peers/tools').Figures & import('./peers/judge').Row & { once: number, rss: number }} Row `once`: NaN where unknown */

const COLUMNS = ['case', 'tool', 'cost', 'once, million', 'requests/s', 'MB/s', 'p50 ms', 'p99 ms', 'highest RSS', 'ours / this']

/** `seconds` are those of the measured program; in the emulated machine it needs more to get warm, and each takes longer. */
const DEFAULTS = { real: { rounds: 3, seconds: 5 }, emulated: { rounds: 1, seconds: 10 } }

/** What a run costs once is not told when it is a smaller part of the whole: it would be noise. */
const RESOLUTION = 0.01

async function main () {
  const { only, emulated = false, ...given } = readFlags({ only: 'text', rounds: 'count', seconds: 'positive', emulated: 'boolean' })
  const { rounds, seconds } = { ...(emulated ? DEFAULTS.emulated : DEFAULTS.real), ...given }
  const names = withReferences(choose(only, Object.keys(CASES)))
  const { tools, missing } = findTools()
  if (emulated && process.env.EMULATION === undefined) {
    const { runInMachine } = require('./emulation/machine')
    // s that it may be silent: it says when it starts with a tool.
    const limit = 300 + 20 * Math.max(...names.map(name => secondsOf(name, seconds)))
    process.exitCode = await runInMachine([process.execPath, ...process.argv.slice(1)], limit)
    return
  }
  const { counter, why } = findCounter()
  const longer = counter === null ? [] : names.filter(name => secondsOf(name, seconds) > seconds)
  const pin = onServerCore()
  // nginx tells the date: were only the client slowed, it would meet a new one, and read a new head, five times in a second of its own.
  const servers = { own: await startOwn(pin, slowed()), nginx: await startNginx(pin, slowed()).catch(noteMissing) }
  /** @param {Error} error */
  function noteMissing (error) {
    if (!(error instanceof Problem)) throw error
    missing.push(`nginx (${error.message}; its cases run against the server of this bench)`)
    return null
  }
  try {
    if (onClientCore().length === 0) missing.push('a core of its own for the measured program')
    console.log(`Node.js ${process.version}, ${os.cpus().length} ${emulated ? 'emulated ' : ''}cores, ${new Date().toISOString().slice(0, 10)}; ` +
      `${rounds} rounds of ${seconds} s${longer.map(name => `, ${name} of ${secondsOf(name, seconds)} s`).join('')}; ` +
      `cost in ${counter === null ? 'µs of CPU time, whole runs' : '1,000 instructions of a warm program'}, per completed request\n`)
    if (counter === null) console.log(`CPU time, because ${why}; --emulated counts instructions.\n`)
    if (emulated) console.log('Rates and latencies are those of a slow machine; only costs and ratios say something about others.\n')
    if (missing.length > 0) console.log(`Missing here: ${missing.join(', ')}\n`)
    console.log(`${line(COLUMNS)}\n${line(COLUMNS.map(() => '---'))}`)
    /** @type {Record<string, Record<string, Row>>} */
    const rows = {}
    /** @type {string[]} */
    const failures = []
    for (const name of names) {
      rows[name] = await compare(name, tools, servers, { rounds, seconds: counter === null ? seconds : secondsOf(name, seconds), counter, failures })
      progress('')
      print(name, rows)
    }
    const { misses, unjudged } = judge(rows)
    const list = (title, items) => items.length > 0 && console.log(`\n${title}:\n${items.map(item => `- ${item}`).join('\n')}`)
    list('Failed', failures)
    list('Not judged, for there is nothing to compare with', unjudged)
    list('Out of bounds', misses)
    if (misses.length === 0) console.log(`\nEvery ratio${unjudged.length > 0 ? ' that could be judged' : ''} is within its bound.`)
    process.exitCode = misses.length === 0 ? 0 : 1
  } finally {
    servers.own.stop()
    servers.nginx?.stop()
  }
}

/** @type {(names: string[]) => string[]} cases, each behind the case of ours that it is held against */
const withReferences = names => [...new Set(names.flatMap(name => [...Object.keys(CASES[name].atMost ?? {}).filter(other => Object.hasOwn(CASES, other)), name]))]

/** @type {(name: string, seconds: number) => number} s that a case runs, where instructions are counted, when so many were asked for */
const secondsOf = (name, seconds) => Math.max(seconds, CASES[name].secondsAtLeast ?? 0)

/**
 * @param {string} name of the case
 * @param {Record<string, import('./peers/tools').Tool>} tools
 * @param {{ own: import('./peers/server').Servers, nginx: import('./peers/server').Servers | null }} servers
 * @param {{ rounds: number, seconds: number, counter: import('./peers/cost').Counter | null, failures: string[] }} how `failures`
 *   of other tools are added to
 * @returns {Promise<Record<string, Row>>} by tool
 */
async function compare (name, tools, servers, { rounds, seconds, counter, failures }) {
  const { options, server = 'plain', own = false, rate, tools: others = [] } = CASES[name]
  const { [server]: port, status } = own ? servers.own : servers.nginx ?? servers.own
  const url = `${server === 'tls' ? 'https' : 'http'}://127.0.0.1:${port}`
  const load = { name, url, connections: options.connections ?? 100, pipelining: options.pipelining ?? 1, seconds, rate }
  /** @type {Record<string, Row>} */
  const best = {}
  const failed = new Set()
  for (let round = 0; round < rounds; round++) {
    for (const tool of ['ours', 'autocannon 9', ...others]) {
      if (tools[tool] === undefined || failed.has(tool)) continue
      progress(`${name}: ${tool}`)
      try {
        const row = await runOne(tools[tool], load, { counter, answered: () => answeredBy(status) })
        if (best[tool] === undefined || isBetter(name, row, best[tool])) best[tool] = row
      } catch (error) {
        if (tool === 'ours' || !(error instanceof Problem)) throw error
        failed.add(tool)
        delete best[tool]
        failures.push(`${CASES[name].name}: ${tool}: ${error.message.trim()}`)
      }
    }
  }
  return best
}

/** @type {(name: string, one: Row, other: Row) => boolean} cheaper, or alone in holding the rate: falling behind is cheap */
const isBetter = (name, one, other) => isHeld(name, one) === isHeld(name, other) ? one.cost < other.cost : isHeld(name, one)

/**
 * @param {import('./peers/tools').Tool} tool
 * @param {import('./peers/tools').Load} load
 * @param {{ counter: import('./peers/cost').Counter | null, answered: () => Promise<number> }} how
 * @returns {Promise<Row>}
 * @throws {Problem} when it or requests of it fail
 */
async function runOne (tool, load, how) {
  const cost = await measure([...onClientCore(), ...tool.command(load)], how)
  const figures = tool.read(cost.stdout)
  if (figures.failed > 0) throw new Problem(`${figures.failed.toLocaleString('en')} of ${figures.count.toLocaleString('en')} requests failed`)
  const { once = NaN } = cost.warm ?? {}
  return {
    ...figures,
    cost: perRequest(cost, figures.count),
    once: once >= RESOLUTION * cost.instructions ? once : NaN,
    rss: cost.rss,
    rate: figures.count / load.seconds,
    bytesPerSecond: figures.bytes / load.seconds
  }
}

/** @param {string} text what is being done; it stands until the next */
function progress (text) {
  if (process.stderr.isTTY && process.env.TERM !== 'dumb') process.stderr.write(`\r\x1b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}

/** @param {string[]} cells */
const line = cells => `| ${cells.join(' | ')} |`

/**
 * @param {string} name of the case
 * @param {Record<string, Record<string, Row>>} rows
 */
function print (name, rows) {
  const ratios = ratiosOf(name, rows)
  for (const [tool, { cost, once, rate, bytesPerSecond, p50, p99, rss }] of Object.entries(rows[name])) {
    const bounded = ratios.filter(({ other, value }) => value !== null && (tool === 'ours' ? CASES[other] !== undefined : other === tool))
      .map(({ other, atMost, value }) => `${value.toFixed(2)}${tool === 'ours' ? ` × ${titleOf(other)}` : ''} (≤ ${atMost.toFixed(2)})`)
    const beside = tool === 'ours' ? '' : (rows[name].ours.cost / cost).toFixed(2)
    console.log(line([tool === 'ours' ? CASES[name].name : '', tool, cost.toFixed(2), show(once / 1e6), show(rate), show(bytesPerSecond === 0 ? NaN : bytesPerSecond / 1e6),
      showMs(p50), showMs(p99), Number.isNaN(rss) ? '' : `${show(rss / 2 ** 20)} MiB`, bounded[0] ?? beside]))
  }
}

/** @type {(value: number) => string} */
const show = value => Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en')

/** @type {(ms?: number) => string} */
const showMs = ms => ms === undefined || Number.isNaN(ms) ? '' : String(Number(ms.toPrecision(3)))

start(main)
