'use strict'

// What a request costs: this tool beside autocannon 9.0.0 and wrk, and oha, k6 and locust where they are on the PATH, over
// HTTP/2 beside h2load, undici and node:http2, or beside another checkout of itself.
//
//   npm run bench -- [--only p1,p10] [--rounds 5] [--seconds 3] [--write]
//   npm run bench -- --only flow,function,function-flow --write
//   npm run bench -- --only sse --write
//   npm run bench -- --base ../main [--only p1,p10] [--rounds 7] [--seconds 2]
//
// Each program runs on a core of its own, the server on the other. The tools of a case alternate, and each ratio is that of two
// costs of the same round: the median of these counts. --write keeps all figures in peers/results.json, or those of a group (user functions,
// events, messages) beside the others there, and writes the tables and sentences of the documents that quote them. It exits with 1 when a
// ratio is above what peers/cases.js allows.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { commit, cores } = require('./machine')
const { documents, rewrite } = require('./markdown')
const { start, readFlags, choose, Problem } = require('./program')
const { CASES, GROUPS } = require('./peers/cases')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, perRequest, whyNotCounted } = require('./peers/cost')
const { judge } = require('./peers/judge')
const { compared } = require('./peers/paired')
const { startOwn, startNginx } = require('./peers/server')
const { all, withBlocks } = require('./peers/table')
const { findTools, withBase, versionsOf } = require('./peers/tools')

/** @typedef {import('./peers/tools').Figures & import('./peers/paired').Row} Row */

const RESULTS = path.join(__dirname, 'peers/results.json')
const DEFAULTS = { peers: { rounds: 5, seconds: 3 }, base: { rounds: 7, seconds: 2 } }

/** A document quotes no figure of fewer rounds. */
const LEAST_ROUNDS = 5

async function main () {
  const { only, base, write = false, ...given } =
    readFlags({ only: 'text', base: 'text', rounds: 'count', seconds: 'positive', write: 'boolean' })
  const { rounds, seconds } = { ...(base === undefined ? DEFAULTS.peers : DEFAULTS.base), ...given }
  const names = choose(only, Object.keys(CASES).filter(name => CASES[name].variantOf === undefined))
  const group = only === undefined ? undefined : Object.keys(GROUPS).find(group => GROUPS[group].join() === names.join())
  if (write && ((only !== undefined && group === undefined) || base !== undefined || rounds < LEAST_ROUNDS)) {
    throw new Problem(`--write takes all cases of one run of at least ${LEAST_ROUNDS} rounds: omit --only and --base, ` +
      `or write --only ${Object.values(GROUPS).map(names => names.join()).join(' or --only ')}`)
  }
  const { tools, missing } = base === undefined ? findTools() : { tools: withBase(path.resolve(base)), missing: [] }
  const why = whyNotCounted()
  const pin = onServerCore()
  const servers = { own: await startOwn(pin), beside: await startOwn(onClientCore()), nginx: await startNginx(pin).catch(noteMissing) }
  function noteMissing (error) {
    if (!(error instanceof Problem)) throw error
    missing.push(`nginx (${error.message}; its cases run against the server of this bench)`)
    return null
  }
  try {
    if (onClientCore().length === 0) missing.push('a core of its own for the measured program')
    if (missing.length > 0) console.log(`Missing here: ${missing.join(', ')}\n`)
    if (why !== '') console.log(`The cost is CPU time: ${why}\n`)
    const results = { ...circumstances(tools), rounds, seconds, counted: why === '', base: base !== undefined, cases: {} }
    const failures = []
    for (const name of names) results.cases[name] = compared(name, await alternate(name, tools, servers, results, failures))
    progress('')
    console.log(all(results))
    const { misses, unjudged } = judge(results.cases, results)
    const list = (title, items) => items.length > 0 && console.log(`\n${title}:\n${items.map(item => `- ${item}`).join('\n')}`)
    list('Failed', failures)
    list('Not judged, because there is nothing to compare with', unjudged)
    list('Out of bounds', misses)
    if (misses.length === 0) console.log(`\nEvery ratio${unjudged.length > 0 ? ' that could be judged' : ''} is within its bound.`)
    if (write && group === undefined) quote({ ...results, ...Object.fromEntries(Object.keys(GROUPS).map(group => [group, results])) })
    else if (write) quote({ ...JSON.parse(fs.readFileSync(RESULTS, 'utf8')), [group]: results })
    process.exitCode = misses.length === 0 ? 0 : 1
  } finally {
    servers.own.stop()
    servers.beside.stop()
    servers.nginx?.stop()
  }
}

function circumstances (tools) {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    machine: `${cores()}, ${os.type()} ${os.release().split('-')[0]}`,
    node: process.versions.node,
    versions: versionsOf(Object.keys(tools))
  }
}

/**
 * @param {string} name of the case
 * @param {string[]} failures those of other tools are added
 * @returns {Promise<Array<Record<string, Row>>>} of each round, by tool, or by case of ours that this one has a bound beside
 */
async function alternate (name, tools, servers, { rounds, seconds, counted }, failures) {
  const { atMost = {}, nine = atMost['autocannon 9'], tools: others = [], beside = [] } = CASES[name]
  const references = tools.base === undefined ? [...Object.keys(atMost).filter(other => CASES[other] !== undefined), ...beside] : []
  const contenders = [...['ours', 'base', ...nine === undefined ? [] : ['autocannon 9'], ...others].filter(tool => tools[tool] !== undefined), ...references]
  const failed = new Set()
  const done = []
  for (let round = 1; round <= rounds; round++) {
    const rows = {}
    // Each second round goes backwards, so that a machine that gets slower does so for all alike.
    for (const contender of round % 2 === 1 ? contenders : contenders.toReversed()) {
      if (failed.has(contender)) continue
      progress(`${name}, round ${round} of ${rounds}: ${contender}`)
      try {
        const reference = CASES[contender] !== undefined
        rows[contender] = await runOne(tools[reference ? 'ours' : contender], loadOf(reference ? contender : name, servers, seconds), counted)
      } catch (error) {
        if (contender === 'ours' || contender === 'base' || !(error instanceof Problem)) throw error
        failed.add(contender)
        failures.push(`${CASES[name].name}: ${contender}: ${error.message.trim()}`)
      }
    }
    done.push(rows)
  }
  return done.map(rows => Object.fromEntries(contenders.filter(contender => !failed.has(contender)).map(contender => [contender, rows[contender]])))
}

/** @param {string} name of the case */
function loadOf (name, servers, seconds) {
  const { options, server = 'plain', own = false, events = false, rate } = CASES[name]
  const { [server]: port } = events ? servers.beside : own ? servers.own : servers.nginx ?? servers.own
  const scheme = server === 'echo' ? 'ws' : ['tls', 'h2'].includes(server) ? 'https' : 'http'
  const url = `${scheme}://127.0.0.1:${port}`
  return { name, url, connections: options.connections ?? 100, pipelining: options.pipelining ?? 1, seconds, rate }
}

/** @throws {Problem} when it or requests of it fail */
async function runOne (tool, load, counted) {
  const cost = await measure([...onClientCore(), ...tool.command(load)], { counted })
  const figures = tool.read(cost.stdout)
  if (figures.failed > 0) throw new Problem(`${figures.failed.toLocaleString('en')} of ${figures.count.toLocaleString('en')} requests failed`)
  const { count, bytes, cpu = cost.cpu, rss = cost.rss, seconds = load.seconds } = figures
  return { ...figures, cost: perRequest({ ...cost, cpu }, CASES[load.name].whole ? 1 : count), rss, rate: count / seconds, bytesPerSecond: bytes / seconds }
}

/** Keeps the results, and writes them into the documents that quote them. */
function quote (results) {
  fs.writeFileSync(RESULTS, JSON.stringify(results, (key, value) => typeof value === 'number' ? Number(value.toPrecision(4)) : value, 2) + '\n')
  const kept = JSON.parse(fs.readFileSync(RESULTS, 'utf8'))
  for (const file of documents()) rewrite(file, text => withBlocks(text, kept))
}

/** @param {string} text what is being done; it is shown until the next */
function progress (text) {
  if (process.stderr.isTTY && process.env.TERM !== 'dumb') process.stderr.write(`\r\x1b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}

start(main)
