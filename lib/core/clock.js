'use strict'

// The clocks of the project. Code that depends on time receives `now` as an argument, so that a test can pass its own
// clock.

/** Monotonic time since the process started. @returns {number} milliseconds, with a resolution of at least 1 µs */
const now = performance.now.bind(performance)

/** A common clock of all threads and processes of a machine. @returns {number} milliseconds */
const sharedNow = () => Number(process.hrtime.bigint()) / 1e6

/**
 * The wall clock, which the system may set forward and back.
 * @returns {number} milliseconds since 1970
 */
const wallNow = () => Date.now()

/**
 * Waits without yielding the core. A read of this clock leaves no garbage, because the compiler keeps its value in a
 * register. performance.now() leaves 16 bytes per call: a busy wait with it collects garbage 170 times a second
 * (Node.js 20).
 * @param {number} ms
 */
function spin (ms) {
  const { bigint: clock } = process.hrtime
  const end = clock() + BigInt(Math.trunc(ms * 1e6))
  while (clock() < end);
}

/** @typedef {() => number} Clock returns milliseconds, never goes back */

module.exports = { now, sharedNow, wallNow, spin }
