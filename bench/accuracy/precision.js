'use strict'

// Owns how often a run that ended because its figure was known well enough was wrong about it: queues whose figures theory knows.

const { ONE, PHASES, closedLoop, openQueue, coverageOf } = require('../../test/helpers/known-queues')
const { atLeast } = require('./rows')

/** @type {Array<[known: import('../../test/helpers/known-queues').Known, ...expressions: string[]]>} what most runs come to within 100 s */
const ASKED = [
  [ONE, 'rps ±1%', 'avg ±1%', 'p50 ±2%', 'p99 ±3%', 'p99.9 ±7%'],
  [closedLoop(10), 'avg ±1%', 'p99 ±2.5%'],
  [openQueue(0.5), 'avg ±2%', 'p99 ±5%'],
  [openQueue(0.8), 'avg ±5%', 'p50 ±5%', 'p99 ±10%'],
  [openQueue(0.9), 'avg ±10%', 'p99 ±25%'],
  [PHASES, 'avg ±3%']
]

/**
 * @param {number} runs of each
 * @returns {import('./rows').Row[]}
 */
function precisionRows (runs) {
  return ASKED.flatMap(([known, ...expressions]) => expressions.map(expression => {
    const { reached, covered, seconds } = coverageOf(known, expression, runs)
    return atLeast(`${known.name}: ${expression}, ${reached} of ${runs} runs ended, after ${Math.round(seconds)} s`, '95 %', covered / reached * 100, 95, '%')
  }))
}

module.exports = { precisionRows }
