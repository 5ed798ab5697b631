'use strict'

// Owns how far from their schedule requests are written, seen from outside of the tool: the sockets of this process say when
// somebody writes to them. Beside it, on the same core, a loop that does nothing but wait for the clock.

const net = require('node:net')

/** The first byte of a request. */
const G = 'G'.charCodeAt(0)

/**
 * @param {() => Promise<unknown>} run that sends requests by GET, each in one write
 * @param {number} interval ms between two requests
 * @returns {Promise<number[]>} by how much each was later than the one that was the least late, ms
 */
async function latenessOf (run, interval) {
  /** @type {number[]} */
  const writes = []
  const { write } = net.Socket.prototype
  net.Socket.prototype.write = function (/** @type {any} */ chunk, /** @type {any[]} */ ...rest) {
    if (chunk[0] === G) writes.push(performance.now())
    return write.call(this, chunk, ...rest)
  }
  try {
    await run()
  } finally {
    net.Socket.prototype.write = write
  }
  const starts = writes.map((at, n) => at - n * interval)
  const start = starts.reduce((earliest, at) => Math.min(earliest, at), Infinity)
  return starts.map(at => at - start)
}

/**
 * @param {number} ms how long it lasts
 * @param {number} interval ms
 * @returns {number[]} by how much each look at the clock that was due was late, ms
 */
function latenessOfLoop (ms, interval) {
  const late = []
  const start = performance.now()
  for (let due = start; due < start + ms; due += interval) {
    let at = performance.now()
    while (at < due) at = performance.now()
    late.push(at - due)
  }
  return late
}

module.exports = { latenessOf, latenessOfLoop }
