'use strict'

// User functions in a result: their share of the load generator's CPU time, and the places with most of it.

const { sumOf } = require('../../core/statistics')
const { round } = require('../../core/units')

const MOST_PLACES = 10

/** @param {import('./record').Code | null} code null if no load generator reported any */
function derive (code) {
  if (code === null || code.busyMs === 0) return {}
  const places = [...code.places.values()].sort((a, b) => b.ms - a.ms)
  const share = (/** @type {number} */ ms) => round(ms / code.busyMs)
  return {
    userCode: {
      share: share(sumOf(places, ({ ms }) => ms)),
      places: places.slice(0, MOST_PLACES).map(({ file, line, name, ms }) => ({ file, line, name, share: share(ms) }))
    }
  }
}

module.exports = { derive }
