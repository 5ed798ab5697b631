'use strict'

// Owns what a run costs by its length: so much once, to start, to compile and to sum up, and so much for each request of a warm
// program.

const { Problem } = require('../program')

/** The part of a run's requests in which the program is warm. Before, it starts, connects and compiles; after, it sums up. */
const FROM = 0.6
const TO = 0.95

/** How often the warm part has to be looked at, for the looks at its ends to be near enough to them. */
const LOOKS = 5

/**
 * @typedef {object} Look at a run; both figures since whenever
 * @property {number} instructions
 * @property {number} requests that the server has answered
 *
 * @typedef {object} Warm what a run costs: `once` + `perRequest` × its requests, in instructions
 * @property {number} perRequest
 * @property {number} once a difference of large figures: it is off by what `perRequest` is, for all requests
 */

/**
 * Looks at a run again and again, from now on: nothing of it has been executed yet.
 * @param {() => number} instructions so far
 * @param {() => Promise<number>} answered requests so far
 * @param {number} ms between two looks; the server is asked only when instructions have been counted since the one before
 * @returns {() => Promise<{ instructions: number, warm: Warm }>} to call when the run is over: instructions of all of it. It throws
 *   when the server could not be asked
 */
function watch (instructions, answered, ms) {
  /** @type {Look[]} */
  const looks = []
  /** @type {Promise<void> | null} */
  let pending = null
  let failure = null
  let before = -1
  const look = () => {
    if (pending !== null) return
    const now = instructions()
    if (now === before) return
    before = now
    // The answer takes its time, and is of some moment of it.
    pending = answered().then(requests => { looks.push({ instructions: (now + instructions()) / 2, requests }) })
      .catch(error => { failure = error })
      .finally(() => { pending = null })
  }
  look()
  const timer = setInterval(look, ms)
  return async () => {
    clearInterval(timer)
    await pending
    look()
    await pending
    if (failure !== null) throw failure
    return { instructions: looks[looks.length - 1].instructions - looks[0].instructions, warm: split(looks) }
  }
}

/**
 * @param {Look[]} looks the first before the run, the last after it
 * @returns {Warm}
 * @throws {Problem} when there are too few
 */
function split (looks) {
  const [first, last] = [looks[0], looks[looks.length - 1]]
  const [begin, end] = [FROM, TO].map(share => looks.findIndex(({ requests }) => requests - first.requests >= share * (last.requests - first.requests)))
  if (end - begin < LOOKS || end === looks.length - 1) throw new Problem('The run was too short to find what a request costs; --seconds makes it longer')
  const warm = difference(looks[begin], looks[end])
  const whole = difference(first, last)
  const perRequest = warm.instructions / warm.requests
  return { perRequest, once: whole.instructions - perRequest * whole.requests }
}

/** @type {(from: Look, to: Look) => Look} */
const difference = (from, to) => ({ instructions: to.instructions - from.instructions, requests: to.requests - from.requests })

module.exports = { watch, split }
