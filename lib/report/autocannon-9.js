'use strict'

// Formats numbers of the tables and the summary line as autocannon 9 does, because scripts read them from a pipe.
// core/units.js formats all others.

const { formatInteger, formatLatency } = require('../core/units')
const { countsMessages } = require('../core/counted')

/** From this number of requests on, it is rounded to thousands. */
const ROUNDED = 10_000

/** Options that set a number of requests. With one of them, the count is exact. */
const COUNTS = ['amount', 'maxConnectionRequests', 'maxOverallRequests']

/**
 * @param {Record<string, any>} result
 * @returns {string} such as `251k requests in 10.05s`
 */
function summaryOf (result) {
  const { requests: { sent }, duration, options = {} } = result
  const [what, fate] = countsMessages(result) ? ['message', ' sent'] : ['request', '']
  const isExact = sent < ROUNDED || COUNTS.some(name => options[name] !== undefined)
  const count = `${isExact ? formatInteger(sent) : atAGlance(sent)} ${what}${sent === 1 ? '' : 's'}${fate}`
  const time = `in ${Number(duration.toFixed(2))}s`
  return [...Number.isNaN(sent) ? [] : [count], ...Number.isNaN(duration) ? [] : [time]].join(' ')
}

/**
 * @param {number} n at least 1,000
 * @returns {string} such as 25k, 1.23M
 */
function atAGlance (n) {
  for (const [size, suffix] of /** @type {const} */ ([[1e9, 'G'], [1e6, 'M']])) {
    if (n >= size * 0.9995) {
      return (n < size * 999.5 ? Number((n / size).toPrecision(3)) : Math.round(n / size)) + suffix
    }
  }
  return Math.round(n / 1000) + 'k'
}

/** @param {number} ms @returns {string} without the unit: hundredths below 10 ms, thousandths below 0.1 ms */
function milliseconds (ms) {
  if (Number.isNaN(ms)) return '–'
  if (ms === 0) return '0'
  if (ms < 0.0995) return ms.toFixed(3)
  if (ms < 9.995) return ms.toFixed(2)
  return ms < 99.95 ? ms.toFixed(1) : formatInteger(ms)
}

/**
 * @param {number} ms
 * @param {{ brief: boolean, wraps?: boolean }} how `brief`: in a narrow table; `wraps`: on a terminal
 * @returns {string} a cell of the table of latencies
 */
function latencyCell (ms, { brief, wraps = false }) {
  if (!brief) return wraps ? formatLatency(ms) : `${milliseconds(ms)} ms`
  if (ms >= 0.0005 && ms < 0.0995) return `${Math.round(ms * 1000)} µs`
  return ms < 999.5 ? `${milliseconds(ms)} ms` : `${milliseconds(ms / 1000)} s`
}

/** @param {number} perSecond @param {boolean} brief in a narrow table @returns {string} a cell of the row Req/Sec */
function rateCell (perSecond, brief) {
  if (Number.isNaN(perSecond)) return '–'
  if (perSecond < 100) return String(Math.round(perSecond * 100) / 100)
  return brief && perSecond >= 999_999.5 ? atAGlance(perSecond) : formatInteger(perSecond)
}

module.exports = { latencyCell, milliseconds, rateCell, summaryOf }
