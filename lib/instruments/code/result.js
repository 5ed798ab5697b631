'use strict'

// What a result says of the code of user functions: its share of the CPU time of the load generator, and the places
// that take most.

const { round } = require('../../core/units')

const MOST_PLACES = 10

/** @param {import('./record').Code | null} code a generator that died has told nothing of it */
function derive (code) {
  if (code === null || code.busyMs === 0) return {}
  const places = [...code.places.values()].sort((a, b) => b.ms - a.ms)
  const share = (/** @type {number} */ ms) => round(ms / code.busyMs)
  return {
    userCode: {
      share: share(places.reduce((sum, { ms }) => sum + ms, 0)),
      places: places.slice(0, MOST_PLACES).map(({ file, line, name, ms }) => ({ file, line, name, share: share(ms) }))
    }
  }
}

module.exports = { derive }
