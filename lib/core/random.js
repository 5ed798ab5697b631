'use strict'

// A seeded random number generator, for reproducible verdicts and loads.

/**
 * mulberry32 (Tommy Ettinger, public domain): 32 bits of state suffice for a bootstrap and for the arrivals of a run.
 * @param {number} seed
 * @returns {() => number} returns numbers from 0 up to but excluding 1
 */
function randomFrom (seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

module.exports = { randomFrom }
