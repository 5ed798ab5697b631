'use strict'

// The figures of one run of `versus`: those of its responses, or of its events if no stream ended.

const { countedIn, eventRate } = require('../core/counted')
const { isOfEvents } = require('../figures/parts')

/**
 * @typedef {object} RunFigures
 * @property {number} rate per second
 * @property {string} unit of the rate
 * @property {'latency' | 'gap'} time of the quantiles
 * @property {number} p50
 * @property {number} p99
 */

/**
 * @param {Record<string, any>} result
 * @param {boolean} [ofEvents] whether the figures are those of events
 * @returns {RunFigures}
 */
function runFiguresOf (result, ofEvents = isOfEvents(result)) {
  const { requests, latency, streams } = result
  const [rate, unit, time, { p50, p99 }] = ofEvents
    ? [streams.eventsPerSecond, eventRate(result), /** @type {const} */ ('gap'), streams.gap]
    : [requests.average, countedIn(result).rate, /** @type {const} */ ('latency'), latency]
  return { rate, unit, time, p50, p99 }
}

module.exports = { runFiguresOf }
