'use strict'

// What a request costs: this tool beside autocannon 9.0.0, wrk and ab, and oha, hey and k6 where they are on the PATH, over
// HTTP/2 beside h2load, undici and node:http2, or beside another checkout of itself.
//
//   npm run bench -- [--only p1,p10] [--rounds 3] [--seconds 5]
//   npm run bench -- --base ../main [--only p1,p10] [--rounds 7] [--seconds 2]
//
// Each program runs on a core of its own, the server on the other, in turns: the cost is that of the round with the lowest,
// which is the one that other programs disturbed least. It exits with 1 when a ratio is above what bench/peers/cases.js allows.

const os = require('node:os')
const path = require('node:path')
const { start, readFlags, choose, Problem } = require('./program')
const { CASES } = require('./peers/cases')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, perRequest, whyNotCounted } = require('./peers/cost')
const { judge, ratiosOf, isHeld, titleOf } = require('./peers/judge')
const { startOwn, startNginx } = require('./peers/server')
const { findTools, withBase } = require('./peers/tools')

/** @typedef {import('./peers/tools').Figures & import('./peers/judge').Row & { rss: number }} Row */

const COLUMNS = ['case', 'tool', 'cost', 'requests/s', 'MB/s', 'p50 ms', 'p99 ms', 'highest RSS', 'ours / this']

const DEFAULTS = { peers: { rounds: 3, seconds: 5 }, base: { rounds: 7, seconds: 2 } }

async function main () {
  const { only, base, ...given } = readFlags({ only: 'text', base: 'text', rounds: 'count', seconds: 'positive' })
  const { rounds, seconds } = { ...(base === undefined ? DEFAULTS.peers : DEFAULTS.base), ...given }
  const chosen = choose(only, Object.keys(CASES))
  const names = base === undefined ? withReferences(chosen) : chosen
  const { tools, missing } = base === undefined ? findTools() : { tools: withBase(path.resolve(base)), missing: [] }
  const why = whyNotCounted()
  const pin = onServerCore()
  const servers = { own: await startOwn(pin), nginx: await startNginx(pin).catch(noteMissing) }
  /** @param {Error} error */
  function noteMissing (error) {
    if (!(error instanceof Problem)) throw error
    missing.push(`nginx (${error.message}; its cases run against the server of this bench)`)
    return null
  }
  try {
    if (onClientCore().length === 0) missing.push('a core of its own for the measured program')
    console.log(`Node.js ${process.version}, ${os.cpus().length} cores, ${new Date().toISOString().slice(0, 10)}; ` +
      `best of ${rounds} rounds of ${seconds} s; cost in ${why === '' ? '1,000 instructions' : `µs of CPU time (${why})`}, per completed request\n`)
    if (missing.length > 0) console.log(`Missing here: ${missing.join(', ')}\n`)
    console.log(`${line(COLUMNS)}\n${line(COLUMNS.map(() => '---'))}`)
    /** @type {Record<string, Record<string, Row>>} */
    const rows = {}
    /** @type {string[]} */
    const failures = []
    for (const name of names) {
      rows[name] = await compare(name, tools, servers, { rounds, seconds, counted: why === '', failures })
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

/**
 * @param {string} name of the case
 * @param {Record<string, import('./peers/tools').Tool>} tools
 * @param {{ own: import('./peers/server').Servers, nginx: import('./peers/server').Servers | null }} servers
 * @param {{ rounds: number, seconds: number, counted: boolean, failures: string[] }} how `failures` of other tools are added to
 * @returns {Promise<Record<string, Row>>} by tool
 */
async function compare (name, tools, servers, { rounds, seconds, counted, failures }) {
  const { options, nine, server = 'plain', own = false, rate, tools: others = [] } = CASES[name]
  const { [server]: port } = own ? servers.own : servers.nginx ?? servers.own
  const url = `${['tls', 'h2'].includes(server) ? 'https' : 'http'}://127.0.0.1:${port}`
  const load = { name, url, connections: options.connections ?? 100, pipelining: options.pipelining ?? 1, seconds, rate }
  /** @type {Record<string, Row>} */
  const best = {}
  const failed = new Set()
  for (let round = 0; round < rounds; round++) {
    for (const tool of ['ours', 'base', ...nine === null ? [] : ['autocannon 9'], ...others]) {
      if (tools[tool] === undefined || failed.has(tool)) continue
      progress(`${name}: ${tool}`)
      try {
        const row = await runOne(tools[tool], load, counted)
        if (best[tool] === undefined || isBetter(name, row, best[tool])) best[tool] = row
      } catch (error) {
        if (tool === 'ours' || tool === 'base' || !(error instanceof Problem)) throw error
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
 * @param {boolean} counted
 * @returns {Promise<Row>}
 * @throws {Problem} when it or requests of it fail
 */
async function runOne (tool, load, counted) {
  const cost = await measure([...onClientCore(), ...tool.command(load)], { counted })
  const figures = tool.read(cost.stdout)
  if (figures.failed > 0) throw new Problem(`${figures.failed.toLocaleString('en')} of ${figures.count.toLocaleString('en')} requests failed`)
  const { count, bytes, rss = cost.rss, seconds = load.seconds } = figures
  return {
    ...figures,
    counted,
    cost: perRequest(cost, CASES[load.name].whole ? 1 : count),
    rss,
    rate: count / seconds,
    bytesPerSecond: bytes / seconds
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
  for (const [tool, { cost, rate, bytesPerSecond, p50, p99, rss }] of Object.entries(rows[name])) {
    const bounded = ratios.filter(({ other, value }) => value !== null && (tool === 'ours' ? CASES[other] !== undefined : other === tool))
      .map(({ other, atMost, value }) => `${value.toFixed(2)}${tool === 'ours' ? ` × ${titleOf(other)}` : ''} (≤ ${atMost.toFixed(2)})`)
    const beside = tool === 'ours' ? '' : (rows[name].ours.cost / cost).toFixed(2)
    console.log(line([tool === 'ours' ? CASES[name].name : '', tool, cost < 1000 ? cost.toFixed(2) : show(cost), show(rate), show(bytesPerSecond === 0 ? NaN : bytesPerSecond / 1e6),
      showMs(p50), showMs(p99), Number.isNaN(rss) ? '' : `${show(rss / 2 ** 20)} MiB`, bounded[0] ?? beside]))
  }
}

/** @type {(value: number) => string} */
const show = value => Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en')

/** @type {(ms?: number) => string} */
const showMs = ms => ms === undefined || Number.isNaN(ms) ? '' : String(Number(ms.toPrecision(3)))

start(main)
