'use strict'

// Pauses in a flow.

const { lengthLeft, lengthOfAll } = require('../users/pause')

/**
 * @typedef {import('../users/pause').Pause} Pause
 * @typedef {import('./frame').Frame} Frame
 * @typedef {import('./frame').Part} Part
 */

/** @implements {Part} */
class PausePart {
  /** @param {ReadonlyArray<Pause>} pauses */
  constructor (pauses) {
    this.pauses = pauses
  }

  /** @type {Part['run']} */
  run (frame) {
    return pauseFor(this.pauses, frame)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return restOf(this.pauses, frame)
  }
}

/** @type {(pauses: ReadonlyArray<Pause>, frame: Frame) => Promise<void> | null} */
function pauseFor (pauses, frame) {
  const ms = lengthOfAll(pauses, frame.random, frame.context)
  if (!(ms > 0)) return null
  frame.restsUntil = frame.user.runtime.now() + ms
  return frame.user.pauses.begin(frame.iteration, ms)
}

/** @type {(pauses: ReadonlyArray<Pause>, frame: Frame) => number} */
const restOf = (pauses, { random, context }) => lengthLeft(pauses, random, context)

module.exports = { PausePart, pauseFor, restOf }
