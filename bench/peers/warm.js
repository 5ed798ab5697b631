'use strict'

// Owns what a run costs by its length: so much once, for start and compilation, and so much for each request of a warm program.

/**
 * The part of a run's requests that is looked at. Before, a program starts, connects, and compiles, which goes on for a while;
 * after, it sums up.
 */
const FROM = 0.6
const TO = 0.95

/**
 * @typedef {object} Look at a run; both figures since whenever
 * @property {number} instructions
 * @property {number} requests that the server has answered
 */

/**
 * @typedef {object} Split of what a run costs: `once` + `instructions` / `requests` for each of its requests
 * @property {number} instructions of the warm part
 * @property {number} requests of the warm part
 * @property {number} once instructions
 */

/**
 * Looks at a run again and again, from now on: nothing of it has been executed yet.
 * @param {() => number} instructions so far
 * @param {() => Promise<number>} answered requests so far
 * @param {number} ms between two looks; the server is asked only when instructions have been counted since the one before
 * @returns {() => Promise<Split>} to call when the run is over
 */
function watch (instructions, answered, ms) {
  /** @type {Look[]} */
  const looks = []
  let asked = Promise.resolve()
  let before = -1
  const look = () => {
    const now = instructions()
    if (now === before) return
    before = now
    asked = answered().then(requests => { looks.push({ instructions: now, requests }) })
  }
  look()
  const timer = setInterval(look, ms)
  return async () => {
    clearInterval(timer)
    await asked
    look()
    await asked
    return split(looks)
  }
}

/**
 * @param {Look[]} looks the first before the run, the last after it
 * @returns {Split}
 */
function split (looks) {
  const [first, last] = [looks[0], looks[looks.length - 1]]
  const [begin, end] = [FROM, TO].map(share => looks.find(({ requests }) => requests - first.requests >= share * (last.requests - first.requests)))
  if (begin === end) throw new Error(`a run with ${looks.length} looks at it is too short to find what a request costs`)
  const warm = difference(begin, end)
  const whole = difference(first, last)
  return { ...warm, once: whole.instructions - warm.instructions / warm.requests * whole.requests }
}

/** @type {(from: Look, to: Look) => Look} */
const difference = (from, to) => ({ instructions: to.instructions - from.instructions, requests: to.requests - from.requests })

module.exports = { watch, split }
