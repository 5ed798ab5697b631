'use strict'

// Finds steps of a search: that of the best load, the first one without responses, and those near the limit that the
// load generator spoiled or that were inconclusive. Steps and searches are in the form of a result.

/** @typedef {Record<string, any>} Step */

/** @param {Step[]} steps @param {number} best @returns {Step | undefined} the last one that held it */
function bestStep (steps, best) {
  return steps.findLast(({ value, outcome }) => value === best && outcome === 'held')
}

/**
 * @param {Step[]} steps of a server that has stopped responding
 * @returns {Step} the first one after the last response
 */
function firstSilent (steps) {
  return steps[steps.findLastIndex(({ completed }) => completed > 0) + 1]
}

/**
 * @param {Record<string, any>} search
 * @returns {Step | undefined} the last step between the best load and the failed one that the load generator spoiled,
 *   or that was inconclusive, if the limit is a range wider than the precision because of it
 */
function unknownBetween (search) {
  const { best, above, limit, steps, precision } = search
  if (limit !== 'server' || best === null || above <= best * (1 + precision)) return undefined
  const spoiled = steps.findLast((/** @type {Step} */ { outcome, value }) =>
    outcome === 'generator' && value > best && value < above)
  return spoiled ?? unsureStep(search)
}

/**
 * @param {Record<string, any>} search
 * @returns {Step | undefined} the last inconclusive one, if the limit is a range wider than the precision because of it
 */
function unsureStep ({ best, above, limit, steps, precision }) {
  if (limit === null || (best !== null && above !== null && above <= best * (1 + precision))) return undefined
  const last = new Map(steps.map((/** @type {Step} */ step) => [step.value, step]))
  return [...last.values()].findLast(({ outcome, value }) =>
    outcome === 'unsure' && value > (best ?? 0) && value < (above ?? Infinity))
}

/**
 * @param {Record<string, any>} search
 * @returns {boolean} whether it ended early because requests of a step did not end
 */
function isStuck ({ expired = false, steps, longest }) {
  return expired && (steps.length === 0 || steps[steps.length - 1].to < longest)
}

module.exports = { bestStep, firstSilent, isStuck, unsureStep, unknownBetween }
