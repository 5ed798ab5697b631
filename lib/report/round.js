'use strict'

// The figures of one run of `versus`: of its responses, or of its events where none of its streams ended.

const { countedIn, eventRate } = require('../core/counted')
const { isOfEvents } = require('../figures/parts')

/**
 * @typedef {object} Round
 * @property {number} rate per second
 * @property {string} unit of that
 * @property {'latency' | 'gap'} time that has these quantiles
 * @property {number} p50
 * @property {number} p99
 */

/**
 * @param {Record<string, any>} result
 * @param {boolean} [ofEvents] where it stands beside others of the same
 * @returns {Round}
 */
function roundOf (result, ofEvents = isOfEvents(result)) {
  const { requests, latency, streams } = result
  const [rate, unit, time, { p50, p99 }] = ofEvents
    ? [streams.eventsPerSecond, eventRate(result), /** @type {const} */ ('gap'), streams.gap]
    : [requests.average, countedIn(result).rate, /** @type {const} */ ('latency'), latency]
  return { rate, unit, time, p50, p99 }
}

module.exports = { roundOf }
