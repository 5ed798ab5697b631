'use strict'

// Owns how the context of a round is made of the initialContext that the options give.

/** @typedef {Record<string, any>} Context what hooks of one round of a connection share */

/**
 * @param {Context} initial
 * @returns {() => Context} makes a context that shares nothing with the one before, where that can be
 */
function contextMaker (initial) {
  if (Object.values(initial).every(value => typeof value !== 'object' || value === null)) return () => ({ ...initial })
  try {
    structuredClone(initial)
    return () => structuredClone(initial)
  } catch {
    // Functions and the like can't be cloned: they are shared.
    return () => ({ ...initial })
  }
}

module.exports = { contextMaker }
