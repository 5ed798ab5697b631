'use strict'

// The watched server in reports: a table with a row for each figure, and one sentence.

const { formatBytes, formatLatency, formatPercent, formatRate, plural } = require('../../core/units')

/**
 * @typedef {import('./result').ServerFigure} Figure
 *
 * @typedef {object} Row
 * @property {import('./result').ServerKey} key
 * @property {string} name
 * @property {string} column in CSV, after `server_`
 * @property {(value: number) => string} format
 */

/** @type {ReadonlyArray<Row>} */
const ROWS = Object.freeze([
  { key: 'cpu', name: 'CPU, of a core', column: 'cpu', format: formatPercent },
  { key: 'rss', name: 'Memory', column: 'rss_bytes', format: formatBytes },
  { key: 'processes', name: 'Processes', column: 'processes', format: formatRate },
  { key: 'threads', name: 'Threads', column: 'threads', format: formatRate },
  { key: 'files', name: 'Open files', column: 'files', format: formatRate },
  { key: 'eventLoopUtilization', name: 'Event loop', column: 'event_loop', format: formatPercent },
  { key: 'eventLoopDelay', name: 'Event loop delay', column: 'event_loop_delay_ms', format: formatLatency },
  { key: 'heapUsed', name: 'Heap', column: 'heap_bytes', format: formatBytes },
  { key: 'gc', name: 'Garbage collection', column: 'gc', format: formatPercent }
])

/** @type {import('../../report/authored').TablesOf} */
function tables ({ server }, form) {
  if (form === 'text') return []
  const rows = ROWS.flatMap(({ key, name, format }) =>
    server[key] == null ? [] : [[name, format(server[key].average), format(server[key].max)]])
  return [{
    id: 'server',
    title: 'The server beside the load',
    caption: 'Server',
    heads: [form === 'html' ? '' : 'Server', '>Average', '>At most'],
    rows,
    none: 'Nothing was seen of it.',
    isNarrow: true
  }]
}

/** @type {(key: string, name: string, which: string) => [string, (figures: any, result: any) => unknown]} */
const columnOf = (key, name, which) => [
  `server_${name}${which === 'max' ? '_max' : ''}`,
  (figures, result) => ('number' in figures ? figures : result).server?.[key]?.[which]
]

/** @type {import('../../report/authored').Columns} */
const columns = ROWS.flatMap(({ key, column }) => ['average', 'max'].map(which => columnOf(key, column, which)))

/**
 * @param {Record<string, any>} result
 * @returns {string | null} null if no server was watched, or nothing is known of it
 */
function serverSentence ({ server = {} }) {
  const { cpu, rss, processes, threads, files, eventLoopUtilization, eventLoopDelay, heapUsed, gc } = server
  /** @type {(figure: Figure | null | undefined, words: (figure: Figure) => string) => string[]} */
  const known = (figure, words) => figure == null ? [] : [words(figure)]
  const outside = [
    ...known(cpu, ({ average, max }) => `CPU ${formatPercent(average)} of a core (max ${formatPercent(max)})`),
    ...known(rss, ({ max }) => `memory ${formatBytes(max)} at most`),
    ...known(processes, ({ max }) => max > 1 ? plural(max, 'process', 'processes') : '').filter(text => text !== ''),
    ...known(threads, ({ max }) => plural(max, 'thread')),
    ...known(files, ({ max }) => plural(max, 'open file'))
  ]
  const inside = [
    ...known(eventLoopUtilization, ({ average, max }) =>
      `event loop ${formatPercent(average)} busy (max ${formatPercent(max)})`),
    ...known(eventLoopDelay, ({ average, max }) => `timers ${formatLatency(average)} late (max ${formatLatency(max)})`),
    ...known(heapUsed, ({ max }) => `heap ${formatBytes(max)} at most`),
    ...known(gc, ({ average }) => `garbage collection ${formatPercent(average)} of the time`)
  ]
  const parts = [outside, inside].filter(part => part.length > 0).map(part => part.join(', '))
  return parts.length === 0 ? null : `Server: ${parts.join('; ')}`
}

/** The head of a column with the CPU of the server, in the tables of stages and steps. */
const CPU = 'Server CPU'

/**
 * @param {Array<{ server?: Record<string, Figure | null> }>} parts stages or steps
 * @returns {boolean} whether it is known for any of them
 */
function hasCpu (parts) {
  return parts.some(({ server }) => server?.cpu != null)
}

/** @param {{ server?: Record<string, Figure | null> }} part */
function cpuCell ({ server }) {
  return server?.cpu == null ? '–' : formatPercent(server.cpu.average)
}

module.exports = { CPU, columns, cpuCell, hasCpu, serverSentence, tables }
