'use strict'

// Which scenario a connection follows, and its first step. Both depend only on the number of the connection in the
// whole run and on the weights, so that all generators agree.

/**
 * Webster's method: turn k of a scenario of weight w is at (k + ½) / w, and connections take the turns in their order.
 * After any number of connections, each scenario has its share to within about one. Equal weights give each one its
 * turn.
 * @param {ReadonlyArray<{ weight: number }>} scenarios
 * @param {number} first number of a connection in the whole run
 * @param {number} count of connections
 * @param {boolean} [everyone] whether the first connections are one for each scenario, even with a small weight
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
 * Where connections come and go, each generator has every n-th of them, or of the connections that users share.
 * @param {number} i which connection, or user, of a generator
 * @param {number} step how far it is to the next, or to those of the next connection that users share
 * @param {number} streams how many share one
 * @returns {number} how far its number in the whole run is from that of the first one there
 */
function stepsTo (i, step, streams) {
  return Math.floor(i / streams) * streams * step + i % streams
}

/**
 * @param {number} count of connections, or users, of all generators: the first ones, by their number
 * @param {number} first number of the first one of a generator
 * @param {number} step as above
 * @param {number} streams
 * @returns {number} how many of them that generator has
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
 * Connections that go the same way do not go it in step.
 * @param {number} number of a connection in the whole run
 * @returns {number} 0 to 1: the part of its pause that is over at the start; 0 for the first one
 */
function phaseOf (number) {
  return number * GOLDEN % 1
}

/** The silver ratio less 2: users whose phases are alike are far from each other by this one. */
const SILVER = Math.SQRT2 - 1

/**
 * Users that arrive together do not begin together, and the moment is independent of the scenario.
 * @param {number} number of a connection in the whole run
 * @returns {number} 0 to 1: which part of the time between two iterations it waits for its first; 0 for the first one
 */
function momentOf (number) {
  return number * SILVER % 1
}

module.exports = { chooseScenarios, momentOf, phaseOf, shareOf, stepsTo }
