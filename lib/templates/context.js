'use strict'

// Creates the context of an iteration from the option initialContext.

/** @typedef {Record<string, any>} Context shared by the hooks of one iteration of a connection */

/**
 * @param {Context} initial
 * @returns {() => Context} makes a new context, which shares nothing with others where its values can be cloned
 */
function contextMaker (initial) {
  if (Object.keys(initial).length === 0) return () => ({})
  // Loaded only where a context has values.
  const { copyTexts } = require('../requests/json-numbers')
  const copy = copierOf(initial)
  return () => {
    const context = copy()
    copyTexts(initial, context)
    return context
  }
}

/** @type {(initial: Context) => () => Context} */
function copierOf (initial) {
  const shallow = () => ({ ...initial })
  if (Object.values(initial).every(value => typeof value !== 'object' || value === null)) return shallow
  try {
    structuredClone(initial)
    return () => structuredClone(initial)
  } catch {
    // Functions and the like can't be cloned: they are shared.
    return shallow
  }
}

module.exports = { contextMaker }
