'use strict'

// The length of a think time: constant, random, or from a user function.

const { HookError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { parseSeconds } = require('../core/numbers')
const { formatInteger } = require('../core/units')
const { isPromise, promised } = require('../requests/hook-result')

/**
 * A pause in ms: uniformly distributed between two lengths, exponentially distributed with a mean, or the return value
 * of a function.
 * @typedef {TimedPause | HookPause} Pause
 * @typedef {{ from: number, to: number } | { mean: number }} TimedPause
 *
 * @typedef {object} HookPause
 * @property {Function | string} hook a function of the context; before hooks are loaded, the path of its module
 * @property {string} place its place in the options, such as `requests[2].pause`
 */

/** The limit of a pause, s: more than 23 days are a mistake. */
const LONGEST = 2_000_000

/**
 * @param {Pause} pause
 * @param {() => number} random 0 to 1, without 1
 * @param {import('../templates/context').Context} context of the iteration
 * @returns {number} ms
 * @throws {HookError}
 */
function lengthOf (pause, random, context) {
  return 'hook' in pause ? callHook(pause, context) : draw(pause, random)
}

/**
 * @param {TimedPause} pause
 * @param {() => number} random 0 to 1, without 1
 * @returns {number} ms
 */
function draw (pause, random) {
  if ('mean' in pause) return Math.min(LONGEST * 1000, -Math.log(1 - random()) * pause.mean)
  return pause.from === pause.to ? pause.from : pause.from + random() * (pause.to - pause.from)
}

/**
 * Returns ms.
 * @throws {HookError}
 * @type {(pause: HookPause, context: import('../templates/context').Context) => number}
 */
function callHook ({ hook, place }, context) {
  let returned
  let seconds
  try {
    returned = /** @type {Function} */ (hook)(context)
    seconds = parseSeconds(returned)
  } catch (error) {
    throw HookError.failed(place, error)
  }
  if (seconds >= 0 && seconds <= LONGEST) return seconds * 1000
  if (isPromise(returned)) throw promised(place, returned)
  throw new HookError(`${place} has to return seconds or a time such as '1s', from 0 to ${formatInteger(LONGEST)} s, ` +
    `got ${show(returned)}`)
}

/**
 * @param {ReadonlyArray<Pause>} pauses in a row
 * @param {() => number} random
 * @param {import('../templates/context').Context} context
 * @returns {number} ms
 * @throws {HookError}
 */
function lengthOfAll (pauses, random, context) {
  let ms = 0
  for (const pause of pauses) ms += lengthOf(pause, random, context)
  return ms
}

/**
 * Returns the length of pauses after requests that were not sent. A function that fails without the missing response
 * does not end the run.
 * @type {typeof lengthOfAll}
 */
function lengthLeft (pauses, random, context) {
  try {
    return lengthOfAll(pauses, random, context)
  } catch {
    return 0
  }
}

module.exports = { draw, lengthLeft, lengthOf, lengthOfAll }
