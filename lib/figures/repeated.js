'use strict'

// Finds results of the same run. A comparison or merge counts it once only: a run does not vary from itself, and every
// request would count twice.

/** @param {Record<string, any>} result @returns {unknown[]} figures that no other run shares */
function figuresOf ({ start, finish, duration, requests, throughput, latency, errors }) {
  return [start, finish, duration, requests, throughput, latency, errors]
}

/**
 * @param {Array<Record<string, any>>} results also after a way through JSON
 * @param {(result: Record<string, any>) => unknown[]} [measuredOf] for results of another form
 * @returns {[first: number, again: number] | null} where the same run stands twice; null when it does not
 */
function findRepeated (results, measuredOf = figuresOf) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  for (const [i, result] of results.entries()) {
    const measured = JSON.stringify(measuredOf(result))
    const first = seen.get(measured)
    if (first !== undefined) return [first, i]
    seen.set(measured, i)
  }
  return null
}

module.exports = { findRepeated }
