'use strict'

// What theory says of a server that works on one request at a time, in the order in which they come: how long each is there
// follows from when it came and how long it takes (D. V. Lindley, "The theory of queues with a single server", Mathematical
// Proceedings of the Cambridge Philosophical Society 48, 1952).

const { randomFrom } = require('../../lib/core/random')

/**
 * @param {number} mean ms
 * @returns {number[]} ms, exponentially distributed
 */
function exponential (n, mean, seed) {
  const random = randomFrom(seed)
  return Array.from({ length: n }, () => -mean * Math.log(1 - random()))
}

/**
 * @param {number} interval ms between two requests
 * @param {number[]} services ms that each takes
 * @returns {number[]} ms from when each came to its answer: W' = max(0, W + S − A), and S
 */
function sojourns (interval, services) {
  let wait = 0
  return services.map(service => {
    const sojourn = wait + service
    wait = Math.max(0, sojourn - interval)
    return sojourn
  })
}

/**
 * The same of a sender and a server that do nothing while they are stalled: a request is sent, taken, answered and read when who does it is there.
 * @param {number} interval ms between two requests
 * @param {number[]} services ms that each takes
 * @returns {number[]} ms from when each was sent to its answer
 */
function sojournsAmid (interval, services, { start, sender, server }) {
  const [sends, reads, takes, answers] = [sender, sender, server, server].map(whenThere)
  let free = -Infinity
  return services.map((service, n) => {
    const sent = sends(start + n * interval)
    free = Math.max(free, takes(sent)) + service
    return reads(answers(free)) - sent
  })
}

/** @returns {(at: number) => number} when it is done; asked for one time after the other */
function whenThere (stalls) {
  let n = 0
  return at => {
    while (n < stalls.length && stalls[n].to <= at) n++
    return n < stalls.length && stalls[n].from <= at ? stalls[n].to : at
  }
}

module.exports = { exponential, sojourns, sojournsAmid }
