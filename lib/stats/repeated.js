'use strict'

// Owns whether results are of one and the same run, which a comparison may count only once: a run does not vary from itself.

/**
 * @param {Array<Record<string, any>>} results also after a way through JSON
 * @returns {[first: number, again: number] | null} where the same run stands twice; null when it does not
 */
function findRepeated (results) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  for (const [i, { start, finish, duration, requests, throughput, latency, errors }] of results.entries()) {
    const measured = JSON.stringify([start, finish, duration, requests, throughput, latency, errors])
    const first = seen.get(measured)
    if (first !== undefined) return [first, i]
    seen.set(measured, i)
  }
  return null
}

module.exports = { findRepeated }
