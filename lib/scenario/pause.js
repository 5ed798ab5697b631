'use strict'

// Owns how long a user pauses: a length that is the same each time, or drawn each time.

/**
 * A pause, all in ms: any length between two, or drawn from an exponential distribution with that mean.
 * @typedef {{ from: number, to: number } | { mean: number }} Pause
 */

/**
 * @param {Pause} pause
 * @param {() => number} random 0 to 1, without 1
 * @returns {number} ms
 */
function lengthOf (pause, random) {
  if ('mean' in pause) return -Math.log(1 - random()) * pause.mean
  return pause.from === pause.to ? pause.from : pause.from + random() * (pause.to - pause.from)
}

/**
 * @param {ReadonlyArray<Pause>} pauses that follow each other
 * @param {() => number} random
 * @returns {number} ms
 */
function lengthOfAll (pauses, random) {
  let ms = 0
  for (const pause of pauses) ms += lengthOf(pause, random)
  return ms
}

module.exports = { lengthOf, lengthOfAll }
