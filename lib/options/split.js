'use strict'

// Splits a plan over several generators: each has its share of connections, amounts, rates and data.

const { shareOut } = require('../shapes/budget')
const { mostOf, rampsConnections } = require('../shapes/stages')

/**
 * @typedef {import('./plan').Plan} Plan
 * @typedef {import('./plan').Pacing} Pacing
 */

/**
 * Splits a plan over several generators: connections and amounts are divided, the remainder over the first; each has at
 * least one connection. The overall limits hold for each of them, as documented, but for all of them together where
 * each has its own machine.
 * @param {Plan} plan
 * @param {number} parts
 * @param {boolean} [apart] whether each is on its own machine
 * @returns {Plan[]} fewer if there are fewer requests; for agents also if there are fewer connections
 */
function split (plan, parts, apart = false) {
  const { amount, iterations, maxOverallRequests: limit } = plan
  const inAll = amount ?? iterations ?? (apart && plan.maxConnectionRequests === null ? limit : null)
  const count = Math.min(parts, inAll ?? Infinity, apart ? placesOf(plan) : Infinity)
  const amounts = amount === null ? null : shareOut(amount, count)
  const begun = iterations === null ? null : shareOut(iterations, count)
  const limits = apart && limit !== null ? shareOut(limit, count) : null
  // A constant rate needs only a start in step; a single generator begins by itself.
  const together = apart || plan.steered || (count > 1 && changes(plan))
  const all = plan.groups === null
    ? membersOf(plan, count)
    : require('./load/groups').splitGroups(plan.groups, plan.streams, count)
  const lists = plan.list === null ? null : require('./listing').splitListing(plan.list, all, rampsConnections(plan))
  const sharedValues = plan.sharedValues === null
    ? null
    : require('./requests/shared-values').splitSharedValues({ ...plan, sharedValues: plan.sharedValues }, all)
  return all.map((members, i) => Object.freeze({
    ...plan,
    ...members,
    amount: amounts === null ? null : amounts[i],
    iterations: begun === null ? null : begun[i],
    maxOverallRequests: limits === null ? limit : limits[i],
    ...lists !== null && lists[i],
    sharedValues: sharedValues === null ? null : sharedValues[i],
    threads: count,
    apart,
    together,
    pacing: pacingShare(plan, members.connections, i, count, apart)
  }))
}

/**
 * The share of one of several generators: of a total rate its part; the documented rates hold for each connection or
 * each worker.
 * @param {Plan} plan
 * @param {number} connections
 * @param {number} part which generator
 * @param {number} parts
 * @param {boolean} apart whether the generators share an overall rate
 * @returns {Pacing | null}
 */
function pacingShare ({ pacing, connections: all }, connections, part, parts, apart) {
  if (pacing === null) return null
  const { rate, shared, perConnection } = pacing
  return {
    ...pacing, rate: perConnection ? rate * connections / all : shared || apart ? rate / parts : rate, part, parts
  }
}

/** Returns on how many generators there can be a connection. @type {(plan: Plan) => number} */
function placesOf ({ groups, stages, streams, connections, steered }) {
  if (steered) return Infinity
  const most = groups !== null
    ? groups.reduce((sum, { connections, ramp }) => sum + (ramp === null ? connections / streams : mostOf(ramp)), 0)
    : stages !== null && stages[0].over === 'connections' ? mostOf(stages) : connections / streams
  return Math.max(1, Math.ceil(most))
}

/** Returns whether due requests depend on the time that has passed. @type {(plan: Plan) => boolean} */
function changes ({ stages, pacing, groups }) {
  return stages !== null || (groups !== null && groups.some(({ pacing, ramp }) => pacing !== null || ramp !== null)) ||
    (pacing !== null && (pacing.arrivals !== 'even' || pacing.shape !== 'constant'))
}

/**
 * All generators together assign scenarios to connections as a single one would. If the number of connections changes,
 * they are assigned round-robin, so that each generator has its share of any number. Users that share a connection
 * belong to one generator.
 * @param {Plan} plan
 * @param {number} count of generators
 * @returns {Array<{ firstConnection: number, connectionStep: number, connections: number }>} of each
 */
function membersOf (plan, count) {
  const { streams } = plan
  const shares = shareOut(Math.ceil(plan.connections / streams), count)
  if (rampsConnections(plan)) {
    return shares.map(
      (share, i) => ({ firstConnection: i * streams, connectionStep: count, connections: share * streams })
    )
  }
  let before = 0
  return shares.map(share => {
    const connections = Math.max(1, Math.min(share * streams, plan.connections - before))
    const firstConnection = before
    before += connections
    return { firstConnection, connectionStep: 1, connections }
  })
}

module.exports = { split }
