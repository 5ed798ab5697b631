'use strict'

// The figures of the watched server: in a result, and in merged points of the series.

const { round } = require('../../core/units')

/**
 * All processes of the server together, in a point of the series. A figure is null if it cannot be measured.
 * @typedef {object} ServerPoint
 * @property {number | null} processes their number
 * @property {number | null} cpu in cores: 1 is one core that is always busy
 * @property {number | null} rss bytes of memory
 * @property {number | null} threads
 * @property {number | null} files open files and sockets
 * @property {number | null} eventLoopUtilization 0 to 1, of the busiest Node.js process, as the following ones
 * @property {number | null} eventLoopDelay average delay of timers, ms
 * @property {number | null} eventLoopDelayMax ms
 * @property {number | null} heapUsed bytes
 * @property {number | null} gc the share of the time in garbage collection
 *
 * @typedef {{ average: number, max: number }} ServerFigure
 * @typedef {typeof KEYS[number]} ServerKey
 */

/** The figures in a result. */
const KEYS = /** @type {const} */ ([
  'processes', 'cpu', 'rss', 'threads', 'files', 'eventLoopUtilization', 'eventLoopDelay', 'heapUsed', 'gc'
])

/** Figures whose mean is taken. @type {ReadonlyArray<keyof ServerPoint>} */
const MEANS = ['cpu', 'eventLoopUtilization', 'eventLoopDelay', 'gc']
/** Figures whose maximum is taken. @type {ReadonlyArray<keyof ServerPoint>} */
const GREATEST = ['processes', 'rss', 'threads', 'files', 'eventLoopDelayMax', 'heapUsed']
/** Figures that only Node.js programs started by --on-port report. @type {ReadonlySet<ServerKey | undefined>} */
const OF_LOOPS = new Set(['eventLoopUtilization', 'eventLoopDelay', 'heapUsed', 'gc'])

/** Figures that are rounded to whole numbers. @type {ReadonlySet<keyof ServerPoint>} */
const WHOLE = new Set(['rss', 'heapUsed'])

/**
 * @param {Array<{ point: { server?: ServerPoint | null }, ms: number }>} parts `ms`: the time that each covers
 * @returns {{ server?: ServerPoint | null }} merged; nothing if no server was watched
 */
function together (parts) {
  const watched = parts.filter(({ point }) => point.server !== undefined)
  if (watched.length === 0) return {}
  const known = watched.flatMap(({ point: { server }, ms }) => server == null ? [] : [{ server, ms }])
  if (known.length === 0) return { server: null }
  const figures = [
    ...MEANS.map(key => [key, meanOf(known, key)]),
    ...GREATEST.map(key => [key, greatestOf(known, key)])
  ]
  return { server: Object.fromEntries(figures) }
}

/** @param {Array<{ server: ServerPoint, ms: number }>} known @param {keyof ServerPoint} key */
function meanOf (known, key) {
  let [sum, time] = [0, 0]
  for (const { server: { [key]: value }, ms } of known) {
    if (value == null) continue
    sum += value * ms
    time += ms
  }
  return time > 0 ? round(sum / time) : null
}

/** @param {Array<{ server: ServerPoint }>} known @param {keyof ServerPoint} key */
function greatestOf (known, key) {
  return known.reduce((/** @type {number | null} */ greatest, { server: { [key]: value } }) =>
    value == null ? greatest : Math.max(greatest ?? 0, value), null)
}

/**
 * @param {Array<{ server?: ServerPoint | null, length: number }>} series
 * @returns {{ server?: Record<ServerKey, ServerFigure | null> }} nothing if no server was watched
 */
function serverResult (series) {
  const watched = series.filter(({ server }) => server !== undefined)
  if (watched.length === 0) return {}
  const known = watched.flatMap(({ server, length }) => server == null ? [] : [{ server, ms: length }])
  const figures = KEYS.map(key => {
    const [average, max] = [meanOf(known, key), greatestOf(known, key === 'eventLoopDelay' ? 'eventLoopDelayMax' : key)]
    const isKnown = average !== null && max !== null
    return [key, isKnown ? { average: WHOLE.has(key) ? Math.round(average) : average, max } : null]
  })
  return { server: Object.fromEntries(figures) }
}

/** @param {unknown} _ @param {import('../../figures/result').Context} context */
function derive (_, { outcome: { series } }) {
  return serverResult(series)
}

const noAbortOn = 'the server: it is judged when the run is over'

const METRICS = {
  rows: {
    'server cpu': { unit: 'utilization', server: 'cpu', which: 'average', parts: ['stage'], compared: true, noAbortOn },
    'server rss': {
      aliases: ['server memory'], unit: 'bytes', server: 'rss', which: 'max', parts: ['stage'], compared: true,
      noAbortOn
    },
    'server threads': { unit: 'count', server: 'threads', which: 'max', parts: ['stage'], noAbortOn },
    'server files': {
      aliases: ['server open files'], unit: 'count', server: 'files', which: 'max', parts: ['stage'], noAbortOn
    },
    'server event loop': {
      aliases: ['server eventloop', 'server elu'], unit: 'utilization', server: 'eventLoopUtilization',
      which: 'average', parts: ['stage'], compared: true, noAbortOn
    },
    'server delay': {
      aliases: ['server event loop delay'], unit: 'ms', server: 'eventLoopDelay', which: 'average', parts: ['stage'],
      compared: true, noAbortOn
    },
    'server heap': { unit: 'bytes', server: 'heapUsed', which: 'max', parts: ['stage'], compared: true, noAbortOn },
    'server gc': { unit: 'utilization', server: 'gc', which: 'average', parts: ['stage'], compared: true, noAbortOn }
  }
}

module.exports = { METRICS, OF_LOOPS, derive, serverResult, together }
