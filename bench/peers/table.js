'use strict'

// How the measured costs are shown: the lines and tables of bench/README.md, README.md and docs/, each a function of the
// data that `npm run bench -- --write` keeps in results.json.

const { CASES, GROUPS } = require('./cases')
const { boundsOf, titleOf, show } = require('./judge')
const { table, withBlock } = require('../markdown')

/**
 * @typedef {object} Results
 * @property {string} date
 * @property {string} commit
 * @property {string} machine
 * @property {string} node
 * @property {Record<string, string>} versions of the other tools
 * @property {number} rounds
 * @property {number} seconds of each tool in each round
 * @property {boolean} counted the cost is in 1,000 instructions, and not in µs of CPU time
 * @property {boolean} base beside another checkout of ours
 * @property {Record<string, import('./paired').Comparison>} cases
 * @property {Results} [functions] those of user functions, perhaps of another run
 * @property {Results} [events] likewise of events of streams
 * @property {Results} [messages] likewise of messages over WebSocket
 */

const COLUMNS = ['case', 'tool', 'cost', 'requests/s', 'MB/s', 'p50 ms', 'p99 ms', 'highest RSS', 'ours / this']

/** Those that the short table has a column for, where they took part. */
const PEERS = ['autocannon 9', 'wrk', 'oha', 'k6']

/** The cases of the short table. */
const SHORT = ['p1', 'c10', 'node', 'p10', 'c1000', 'requests', 'onResponse', 'tls', 'large', 'flow']

const whole = (value = NaN) => Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en')

const digits = ms => ms === undefined ? '' : String(Number(ms.toPrecision(3)))

/**
 * @param {string} name of the case
 * @returns {string[][]} a row for each tool
 */
function rowsOf (name, { tools, ratios }, how) {
  const bounds = Object.fromEntries(boundsOf(name, how))
  return Object.entries(tools).map(([tool, { cost, rate, bytesPerSecond, p50, p99, rss }]) => [
    tool === 'ours' ? CASES[name].name : '',
    titleOf(tool),
    cost < 1000 ? cost.toFixed(2) : whole(cost),
    whole(rate),
    bytesPerSecond === 0 ? '' : whole(bytesPerSecond / 1e6),
    digits(p50),
    digits(p99),
    rss === undefined ? '' : `${whole(rss / 2 ** 20)} MiB`,
    ratios[tool] === undefined ? '' : `${show(ratios[tool])}${bounds[tool] === undefined ? '' : `, ≤ ${bounds[tool].toFixed(2)}`}`
  ])
}

/** @returns {string} when, where and how it was measured */
const stamp = ({ date, commit, machine, node, versions, rounds, seconds }) => [
  `${date}, commit ${commit}, ${machine}, Node.js ${node}`,
  Object.entries(versions).map(([tool, version]) => `${tool} ${version}`).join(', '),
  `median of ${rounds} alternating rounds of ${seconds} s, in brackets the lowest and the highest`
].filter(text => text !== '').join('; ')

/** @type {(results: Results) => string} each case and each tool */
const all = results => `${stamp(results)}; ${results.counted ? '1,000 instructions' : 'µs of CPU time'} per completed request:\n\n` +
  table(COLUMNS, Object.entries(results.cases).flatMap(([name, comparison]) => rowsOf(name, comparison, results)))

/** @type {(results: Results) => string} our cost beside those of the tools that users know */
function summary (results) {
  const peers = PEERS.filter(peer => SHORT.some(name => results.cases[name]?.ratios[peer] !== undefined))
  const cases = SHORT.filter(name => results.cases[name] !== undefined)
  return `${stamp(results)}:\n\n` + table(['', ...peers], cases.map(name =>
    [CASES[name].name, ...peers.map(peer => results.cases[name].ratios[peer] === undefined ? '' : show(results.cases[name].ratios[peer]))]))
}

/** The tool that each case has a bound beside, apart from autocannon 9. */
const RIVALS = ['wrk', 'h2load']

/** @type {(results: Results) => string} our cost beside that on the sockets of Node.js, without arrival times, and beside the tool in C */
function sockets (results) {
  const cases = Object.entries(CASES).filter(([name, { sockets }]) => sockets !== undefined && results.cases[name]?.ratios[`${name}/node`] !== undefined)
  if (cases.length === 0) return 'Not measured yet.'
  const cell = (/** @type {string} */ name, /** @type {string} */ other) => results.cases[name].ratios[other] === undefined ? '' : `${show(results.cases[name].ratios[other])}${CASES[name].atMost?.[other] === undefined ? '' : `, ≤ ${CASES[name].atMost[other].toFixed(2)}`}`
  return `${stamp(results)}:\n\n` + table(['case', '`--sockets node`', '`--clock read`', 'wrk or h2load'], cases.map(([name, { name: title }]) =>
    [title, cell(name, `${name}/node`), cell(name, `${name}/read`), cell(name, RIVALS.find(rival => results.cases[name].ratios[rival] !== undefined) ?? '')]))
}

/** @type {(results: Results) => string} our cost over HTTP/2 beside the other clients, and our memory */
const http2 = results => `${stamp(results)}:\n\n` + table(['case', 'beside', 'ours / this'], Object.entries(results.cases)
  .filter(([name]) => name.startsWith('http2-'))
  .flatMap(([name, { ratios }]) => Object.entries(ratios).map(([other, ratio]) => [CASES[name].name, titleOf(other), show(ratio)]))) +
  `\n\n100 connections × 100 streams take ${whole(results.cases['http2-memory'].tools.ours.rss / 2 ** 20)} MiB of memory.`

/** @type {(results: Results) => string} the cost of `--client undici` */
const undici = results => `${stamp(results)}:\n\n` + table(['`--client undici`, pipelining 1, beside', 'ratio of CPU time per request'],
  Object.entries(results.cases['undici-p1'].ratios).map(([other, ratio]) => [other === 'undici' ? 'a bare loop over `Client.dispatch`' : titleOf(other), show(ratio)]))

/** @type {(results: Results | undefined, names: string[], counted: string) => string} what each case costs, and beside others */
function group (results, names, counted) {
  if (results === undefined) return 'Not measured yet.'
  return `${stamp(results)}:\n\n` + table(['', `µs of CPU time per ${counted}`, 'ours / this'], names.flatMap(name => {
    const { tools, ratios } = results.cases[name]
    return Object.entries(tools).map(([tool, { cost }]) => [tool === 'ours' ? `**${CASES[name].name}**` : titleOf(tool), cost.toFixed(1), ratios[tool] === undefined ? '' : show(ratios[tool])])
  }))
}

/** @type {(results: Results) => string} what an event of a stream costs beside a request, and beside a client that only finds it */
function events ({ events: results }) {
  if (results === undefined) return 'Not measured yet.'
  return `${stamp(results)}:\n\n` + table(['', 'µs of CPU time', 'of which the floor has', 'event / request'], GROUPS.events.map(name => {
    const { tools: { ours, 'event floor': floor }, ratios } = results.cases[name]
    return [CASES[name].name, ours.cost.toFixed(2), floor === undefined ? '' : floor.cost.toFixed(2), ratios.p1 === undefined ? '' : show(ratios.p1)]
  }))
}

/** @type {(results: Results) => string} the sentences of the README: three figures, as the table has the others */
function claim (results) {
  const { p1 } = results.cases
  const ratios = PEERS.filter(peer => p1.ratios[peer] !== undefined).slice(0, 2)
    .map((peer, i) => `${p1.ratios[peer].median.toFixed(2)} × ${i === 0 ? 'the CPU time' : 'that'} of ${peer}`)
  return `A request takes ${ratios.join(' and ')}. One core sends ${rounded(p1.tools.ours.rate)} requests/s (${results.date})`
}

/** @type {(value: number) => string} to two digits */
const rounded = value => Number(value.toPrecision(2)).toLocaleString('en')

/** What a document can have between `<!-- bench:NAME -->` and `<!-- /bench -->`. */
const BLOCKS = {
  all,
  summary,
  sockets,
  http2,
  undici,
  functions: results => group(results.functions, GROUPS.functions, 'request'),
  events,
  messages: results => group(results.messages, GROUPS.messages, 'message or request'),
  claim
}

/**
 * @param {string} text of a document
 * @returns {string} the same with its blocks written from the results, but for those of other benches
 */
function withBlocks (text, results) {
  return Object.entries(BLOCKS).reduce((text, [name, write]) => text.includes(`<!-- bench:${name} -->`) ? withBlock(text, name, write(results)) : text, text)
}

module.exports = { all, withBlocks }
