'use strict'

// The scenario of each connection, and its start within it. Both depend only on the number of the connection in the
// whole run and on the weights, so all load generators agree without communication.

/**
 * Webster's method: the k-th connection of a scenario with weight w is at (k + ½) / w, and connections are assigned in
 * that order. After any number of connections, each scenario has its share within about one. With equal weights it is
 * round-robin.
 * @param {ReadonlyArray<{ weight: number }>} scenarios
 * @param {number} first number of the first connection in the whole run
 * @param {number} count of connections
 * @param {boolean} [everyone] whether each scenario has one of the first connections, for any weight
 * @returns {number[]} index of a scenario for each connection
 */
function chooseScenarios (scenarios, first, count, everyone = false) {
  const all = scenarios.reduce((sum, { weight }) => sum + weight, 0)
  const needed = first + count
  const turns = scenarios.flatMap(({ weight }, scenario) =>
    Array.from(
      { length: Math.ceil((needed + scenarios.length) * weight / all) },
      (_, k) => ({ at: everyone && k === 0 ? 0 : (k + 0.5) / weight, scenario })
    ))
  turns.sort((a, b) => a.at - b.at || a.scenario - b.scenario)
  return turns.slice(first, needed).map(({ scenario }) => scenario)
}

/**
 * Where connections come and go, each load generator has every n-th connection. With several users per connection,
 * their numbers are consecutive.
 * @param {number} i index of a connection, or user, of a load generator
 * @param {number} step difference between the numbers of two consecutive connections of a load generator
 * @param {number} streams users per connection
 * @returns {number} difference between its number in the whole run and that of the first one of the load generator
 */
function stepsTo (i, step, streams) {
  return Math.floor(i / streams) * streams * step + i % streams
}

/**
 * @param {number} count number of connections, or users, of all load generators: those with the lowest numbers
 * @param {number} first its number of the first one of the load generator
 * @param {number} step as above
 * @param {number} streams
 * @returns {number} how many of them are on that load generator
 */
function shareOf (count, first, step, streams) {
  const turn = streams * step
  const turns = Math.floor(count / turn)
  return turns * streams + Math.max(0, Math.min(streams, count - turns * turn - first))
}

/**
 * The golden ratio: the fractional parts of its multiples leave the smallest gaps for any number of them (Weyl's
 * equidistribution).
 */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Spreads connections with the same scenario over its duration, so they do not send at the same times.
 * @param {number} number of a connection in the whole run
 * @returns {number} from 0 up to 1: the part of its scenario that is skipped at the start; 0 for the first connection
 */
function phaseOf (number) {
  return number * GOLDEN % 1
}

/** The silver ratio less 2: users with similar values of `phaseOf` have very different multiples of it. */
const SILVER = Math.SQRT2 - 1

/**
 * Spreads the first iterations of users over the time between two iterations, independently of their scenarios.
 * @param {number} number of a connection in the whole run
 * @returns {number} from 0 up to 1: the part of the time between two iterations before its first one; 0 for the first
 *   connection
 */
function momentOf (number) {
  return number * SILVER % 1
}

module.exports = { chooseScenarios, momentOf, phaseOf, shareOf, stepsTo }
