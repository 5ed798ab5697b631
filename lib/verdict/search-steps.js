'use strict'

// Owns which of the steps of a search says what: the one that held the best load, the one from which on nothing answered, and the one that the generator
// spoiled near the limit. Steps and searches are those of a result.

/** @typedef {Record<string, any>} Step */

/**
 * @param {Step[]} steps
 * @param {number} best
 * @returns {Step | undefined} the one that says it: the last of those that held it
 */
function bestStep (steps, best) {
  return steps.findLast(({ value, outcome }) => value === best && outcome === 'held')
}

/**
 * @param {Step[]} steps of a server that answers no more
 * @returns {Step} the first of the last ones that nothing answered in
 */
function firstSilent (steps) {
  return steps[steps.findLastIndex(({ answered }) => answered > 0) + 1]
}

/**
 * @param {Record<string, any>} search
 * @returns {Step | undefined} the last one between what was held and what the server failed at that the generator spoiled
 */
function untoldStep ({ best, above, limit, steps }) {
  if (limit !== 'server' || best === null) return undefined
  return steps.findLast((/** @type {Step} */ { outcome, value }) => outcome === 'generator' && value > best && value < above)
}

module.exports = { bestStep, firstSilent, untoldStep }
