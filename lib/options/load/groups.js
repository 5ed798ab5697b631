'use strict'

// The groups of connections in a plan whose scenarios run side by side, and their split over several generators.

const { shareOut } = require('../../shapes/budget')
const { mostOf, overConnections, planStages } = require('../../shapes/stages')

/**
 * @typedef {import('../plan').Group} Group
 *
 * @param {ReadonlyArray<import('./side-by-side').Side>} sides
 * @param {import('../normalize').Values} values
 * @param {number} targets how many there are
 * @param {number} streams how many users share a connection
 * @param {(values: import('../normalize').Values) => import('../plan').Pacing | null} pacingOf
 * @returns {ReadonlyArray<Group>}
 */
function groupsOf (sides, { pace, arrivals, seed = 1, sticky }, targets, streams, pacingOf) {
  let from = 0
  let firstNumber = 0
  return Object.freeze(sides.map(({ scenarios, connections: given, first, load }, i) => {
    const connections = given * streams
    const until = from + targets * (sticky ? scenarios.length : 1)
    const { stages } = load
    const ramp = stages !== undefined && overConnections(stages) ? planStages(stages, first) : null
    // Users of one scenario know nothing of those of another.
    const pacing = pacingOf({ ...load, connections, pace, arrivals, seed: (seed + i) % 2 ** 32 })
    const scenario = scenarios.length > 1 ? null : scenarios[0]
    const group = Object.freeze({
      from, until, connections: ramp === null ? connections : 0, before: 0, step: 1, firstNumber,
      pacing: pacing && { ...pacing, scenario }, ramp
    })
    from = until
    // Those that come later have theirs from the start.
    firstNumber += connections
    return group
  }))
}

/**
 * Each generator has its share of each group, to one connection, and of all connections as well. A generator without a
 * connection of a group has no part in its requests. Where connections of a group come and go, each has. Users that
 * share a connection are at one generator.
 * @param {ReadonlyArray<Group>} groups
 * @param {number} streams how many users share a connection
 * @param {number} count of generators, at most as many as connections when there are most
 * @returns {Array<{ connections: number, firstConnection: number, groups: ReadonlyArray<Group> }>} of each
 */
function splitGroups (groups, streams, count) {
  let dealt = 0
  const shares = groups.map(({ connections, ramp }) => {
    // Remainders begin at the generator after the last one of the group before.
    const turnOf = (/** @type {number} */ i) => (i - dealt % count + count) % count
    const own = shareOut(connections / streams, count).map(share => share * streams)
    const shares = own.map((_, i) => own[turnOf(i)])
    const shared = shares.map((connections, i) =>
      ramp === null
        ? { connections, before: sum(shares.slice(0, i)), step: 1 }
        : {
            connections, before: turnOf(i) * streams, step: count
          })
    dealt += ramp === null ? connections / streams : mostOf(ramp)
    return shared
  })
  let firstConnection = 0
  return Array.from({ length: count }, (_, i) => {
    const own = groups.map((group, g) => Object.freeze({
      ...group, ...shares[g][i], pacing: pacingShare(group, shares[g].map(({ connections }) => connections), i)
    }))
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
