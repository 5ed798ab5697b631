'use strict'

// The charts of a watched server.

const { round } = require('../../core/units')
const { timeCharts } = require('./charts')

/** @typedef {import('./charts').TimeChart} TimeChart */

/** @param {string} key of a point's server @param {number} [factor] @returns {(point: any) => number | null} */
const of = (key, factor = 1) => ({ server }) => server?.[key] == null ? null : round(server[key] * factor)

/** @type {TimeChart[]} */
const CHARTS = [
  {
    id: 'server-load',
    title: 'Load of the server',
    unit: '%',
    most: 100,
    partial: true,
    note: 'CPU is that of all its processes: 100 % is one core. The event loop and GC, garbage collection, ' +
      'are those of the Node.js process that has most of each.',
    lines: [
      { label: 'CPU', color: '--line', read: of('cpu', 100) },
      { label: 'Event loop', color: '--quiet', read: of('eventLoopUtilization', 100) },
      { label: 'GC', color: '--bad', read: of('gc', 100) }
    ]
  },
  {
    id: 'server-memory',
    title: 'Memory of the server',
    unit: 'MB',
    partial: true,
    lines: [
      { label: 'Memory', color: '--line', read: of('rss', 1e-6) },
      { label: 'Heap', color: '--quiet', read: of('heapUsed', 1e-6) }
    ]
  },
  {
    id: 'server-delay',
    title: 'Delay of the server\'s event loop',
    unit: 'ms',
    partial: true,
    lines: [
      { label: 'Average', color: '--line', read: of('eventLoopDelay') },
      { label: 'At most', color: '--bad', read: of('eventLoopDelayMax') }
    ]
  },
  {
    id: 'server-files',
    title: 'Open files and threads of the server',
    unit: '',
    partial: true,
    lines: [
      { label: 'Open files', color: '--line', read: of('files') },
      { label: 'Threads', color: '--quiet', read: of('threads') }
    ]
  }
]

/** @param {Record<string, any>} result @param {Record<string, any>} [baseline] @returns {import('./charts').Chart[]} */
function serverCharts (result, baseline) {
  return timeCharts(result, { baseline }, CHARTS)
}

module.exports = { serverCharts }
