'use strict'

// Finds results of the same run. A comparison or merge must count a run once: it does not vary from itself, and every
// request would count twice.

/** @param {Record<string, any>} result @returns {unknown[]} figures that identify a run */
function figuresOf ({ start, finish, duration, requests, throughput, latency, errors }) {
  return [start, finish, duration, requests, throughput, latency, errors]
}

/**
 * @param {Array<Record<string, any>>} results which may be parsed JSON
 * @param {(result: Record<string, any>) => unknown[]} [measuredOf]
 * @returns {[first: number, again: number] | null} the indexes of two results of the same run; null for none
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

/** @param {Array<Record<string, any>>} raws raw results, which may be parsed JSON */
function findRepeatedRaw (raws) {
  return findRepeated(raws, ({ start, elapsed, totals, samples, loads }) =>
    [+new Date(start), elapsed, totals, samples, loads])
}

module.exports = { findRepeated, findRepeatedRaw }
