'use strict'

// Owns the groups of connections of a plan whose scenarios run side by side, and how they are split over several generators.

const { shareOut } = require('../load/budget')
const { planStages } = require('./stages')

/**
 * @typedef {import('./plan').Group} Group
 *
 * @param {ReadonlyArray<import('./side-by-side').Side>} sides
 * @param {import('./normalize').Values} values
 * @param {number} targets how many there are
 * @param {(values: import('./normalize').Values, stages: ReadonlyArray<import('../load/stages').Stage> | null) => import('./plan').Pacing | null} pacingOf
 * @returns {ReadonlyArray<Group>}
 */
function groupsOf (sides, { pace, arrivals, seed = 1, sticky }, targets, pacingOf) {
  let from = 0
  let firstNumber = 0
  return Object.freeze(sides.map(({ scenarios, connections, load: { rate, stages, burst } }, i) => {
    const until = from + targets * (sticky ? scenarios.length : 1)
    // Users of one scenario know nothing of those of another.
    const pacing = pacingOf({ connections, rate, burst, pace, arrivals, seed: (seed + i) % 2 ** 32 }, stages === undefined ? null : planStages(stages, 0))
    const group = Object.freeze({ from, until, connections, before: 0, firstNumber, pacing })
    from = until
    firstNumber += connections
    return group
  }))
}

/**
 * Each generator has its share of each group, to one connection, and of all connections as well. Who has no connection of a group takes no turn at what is
 * due for it.
 * @param {ReadonlyArray<Group>} groups
 * @param {number} count of generators, at most as many as connections
 * @returns {Array<{ connections: number, firstConnection: number, groups: ReadonlyArray<Group> }>} of each
 */
function splitGroups (groups, count) {
  let dealt = 0
  const shares = groups.map(({ connections }) => {
    const shares = shareOut(connections, count)
    // What does not go evenly begins behind the one who had the last of the group before.
    const own = shares.map((_, i) => shares[(i - dealt % count + count) % count])
    dealt += connections
    return own
  })
  let firstConnection = 0
  return Array.from({ length: count }, (_, i) => {
    const own = groups.map((group, g) => Object.freeze({ ...group, connections: shares[g][i], before: sum(shares[g].slice(0, i)), pacing: pacingShare(group, shares[g], i) }))
    const connections = sum(own.map(({ connections }) => connections))
    firstConnection += connections
    return { connections, firstConnection: firstConnection - connections, groups: Object.freeze(own) }
  })
}

/**
 * @param {Group} group
 * @param {number[]} shares how many connections each generator has
 * @param {number} i which generator
 */
function pacingShare ({ pacing }, shares, i) {
  if (pacing === null) return null
  const served = shares.filter(share => share > 0).length
  const part = shares.slice(0, i).filter(share => share > 0).length
  return Object.freeze({ ...pacing, rate: shares[i] === 0 ? 0 : pacing.rate / served, part, parts: served })
}

/** @param {number[]} numbers */
const sum = numbers => numbers.reduce((sum, n) => sum + n, 0)

module.exports = { groupsOf, splitGroups }
