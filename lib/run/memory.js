'use strict'

// The parts of a plan that threads may share in memory: lists of requests, and rows of data. They are sent separately
// from the plan, which is copied for each thread.

/** @typedef {{ bytes: Uint8Array, starts: Uint32Array }} Memory of a list, or of a source of data */

/**
 * @param {import('../options/plan').Plan} plan
 * @returns {{ plan: import('../options/plan').Plan, memory: Memory[] | null }} the plan without its memory; null
 *   without any
 */
function withoutMemory (plan) {
  const parts = partsOf(plan)
  if (parts.length === 0) return { plan, memory: null }
  return {
    plan: withMemory(plan, parts.map(() => NOTHING)), memory: parts.map(({ bytes, starts }) => ({ bytes, starts }))
  }
}

/**
 * @param {import('../options/plan').Plan} plan without its memory
 * @param {ReadonlyArray<Memory>} memory of the plan
 * @returns {import('../options/plan').Plan}
 */
function withMemory (plan, memory) {
  const { list, sharedValues } = plan
  const rest = [...memory]
  return {
    ...plan,
    list: list === null ? null : { ...list, ...rest.shift() },
    sharedValues: sharedValues === null
      ? null
      : { ...sharedValues, sources: sharedValues.sources.map(source => ({ ...source, ...rest.shift() })) }
  }
}

/** @type {(plan: import('../options/plan').Plan) => Memory[]} */
function partsOf ({ list, sharedValues }) {
  return [...list === null ? [] : [list], ...sharedValues?.sources ?? []]
}

/** A copy for a transport without shared memory. @type {(memory: ReadonlyArray<Memory>) => Memory[]} */
function copyMemory (memory) {
  return memory.map(({ bytes, starts }) => ({ bytes: bytes.slice(), starts: starts.slice() }))
}

/** @type {Memory} */
const NOTHING = { bytes: new Uint8Array(0), starts: new Uint32Array(0) }

module.exports = { copyMemory, withMemory, withoutMemory }
