'use strict'

// Owns how often a search finds the limit: simulated servers whose limit theory knows, on a clock that passes when requests fall due.

const { KNOWN, findKnown } = require('../../test/helpers/simulated-queue')
const { atLeast, atMost } = require('./rows')

/** So many steps at most, on average, from 100 requests/s. */
const STEPS = 24

/**
 * @param {number} runs of each
 * @returns {Promise<import('./rows').Row[]>}
 */
async function limitRows (runs) {
  const rows = []
  for (const known of KNOWN) {
    const { good, steps, seconds, worst } = await findKnown(known, runs)
    rows.push(
      atLeast(`${known.name}: within 3 % of ${Math.round(known.limit)}/s`, '95 %', good / runs * 100, 95, '%'),
      atMost(`${known.name}: steps, in ${Math.round(seconds)} s; worst ${(worst * 100).toFixed(1)} % off`, '', steps, STEPS, '')
    )
  }
  return rows
}

module.exports = { limitRows }
