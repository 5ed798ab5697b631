'use strict'

// The length of a think time: constant, random, or from a user function.

const { HookError } = require('../core/errors')
const { show } = require('../core/foreign-text')
const { parseSeconds } = require('../core/numbers')
const { formatInteger } = require('../core/units')
const { isPromise, promised } = require('../requests/hook-result')

/**
 * A pause, all in ms: any length between two, or drawn from an exponential distribution with that mean, or the return
 * value of a function.
 * @typedef {TimedPause | HookPause} Pause
 * @typedef {{ from: number, to: number } | { mean: number }} TimedPause
 *
 * @typedef {object} HookPause
 * @property {Function | string} hook of the context, or the path of its module until it is loaded
 * @property {string} place where it was given, such as `requests[2].pause`
 */

/** A longer pause than 23 days is a mistake, s. */
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
  let told
  let seconds
  try {
    told = /** @type {Function} */ (hook)(context)
    seconds = parseSeconds(told)
  } catch (error) {
    throw HookError.failed(place, error)
  }
  if (seconds >= 0 && seconds <= LONGEST) return seconds * 1000
  if (isPromise(told)) throw promised(place, told)
  throw new HookError(
    `${place} has to return seconds or a time such as '1s', from 0 to ${formatInteger(LONGEST)} s, got ${show(told)}`
  )
}

/**
 * @param {ReadonlyArray<Pause>} pauses that follow each other
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
 * For requests that are not sent any more: a function may fail without the missing response, and that ends no run.
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
