'use strict'

// How often a run that ended because its figure was known well enough was wrong about it: queues whose figures theory knows.

const { ONE, PHASES, closedLoop, openQueue, coverageOf } = require('../../test/helpers/simulated/known-queues')
const { SERVERS } = require('../../test/helpers/simulated/varying-servers')
const { atLeast, atMost } = require('./rows')

/** @type {Array<[known: import('../../test/helpers/simulated/known-queues').Known, ...expressions: string[]]>} what most runs come to within 100 s */
const ASKED = [
  [ONE, 'rps ±1%', 'avg ±1%', 'p50 ±2%', 'p99 ±3%', 'p99.9 ±7%'],
  [closedLoop(10), 'avg ±1%', 'p99 ±2.5%'],
  [openQueue(0.5), 'avg ±2%', 'p99 ±5%'],
  [openQueue(0.8), 'avg ±5%', 'p50 ±5%', 'p99 ±10%'],
  [openQueue(0.9), 'avg ±10%', 'p99 ±25%'],
  [PHASES, 'avg ±3%']
]

/** Servers that depend on themselves: a run that ends has to be right, and one that does not end is. */
const RESTLESS = [
  ['Pareto 2.1', 'avg ±3%'],
  ['Pareto 1.5', 'avg ±3%', 'p99 ±10%'],
  ['bimodal, 1.2 %', 'p99 ±10%'],
  ['AR(1), τ 2 s, ±10 %', 'avg ±5%', 'p99 ±5%'],
  ['AR(1), τ 20 s, ±10 %', 'avg ±5%', 'p99 ±5%'],
  ['bursts of 200 ms every 2.2 s', 'avg ±5%'],
  ['bursts of 1000 ms every 11 s', 'avg ±5%', 'p99 ±5%'],
  ['stalls of 100 ms every 2 s', 'avg ±5%', 'p99 ±5%', 'p99 ±10%']
]
/** So many of those that ended may be wrong, %; where practically none ends, nothing is known of them. */
const MOST_WRONG = 7
/** %, of all runs */
const PRACTICALLY_NONE = 5
/** ms */
const LONGEST_RUN = 100_000

/** @param {number} runs of each */
function precisionRows (runs) {
  return [...ASKED.flatMap(([known, ...expressions]) => expressions.map(expression => {
    const { reached, covered, seconds } = coverageOf(known, expression, runs)
    return atLeast(`${known.name}: ${expression}, ${reached} of ${runs} runs ended, after ${Math.round(seconds)} s`, '95 %', covered / reached * 100, 95, '%')
  })), ...RESTLESS.flatMap(([name, ...expressions]) => expressions.map(expression => {
    const { reached, covered, seconds } = coverageOf(restless(name), expression, runs)
    const wrong = reached > runs * PRACTICALLY_NONE / 100 ? (reached - covered) / reached * 100 : 0
    return atMost(`${name}: ${expression}, ${reached} of ${runs} runs ended${reached > 0 ? `, after ${Math.round(seconds)} s, ${reached - covered} of them wrong` : ''}`, '', wrong, MOST_WRONG, '%')
  }))]
}

function restless (name) {
  const { start, figures } = /** @type {import('../../test/helpers/simulated/varying-servers').Server} */ (SERVERS.find(server => server.name === name))
  return { name, queue: random => start(random, LONGEST_RUN), figures }
}

module.exports = { precisionRows, restless }
