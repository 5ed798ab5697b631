'use strict'

// Chooses the pacer of a rate: round-robin with a share per connection, or any connection with room.

const { NEVER } = require('../../shapes/pace')
const { OpenPacer } = require('./open-pacer')
const { RoundRobinPacer } = require('./round-robin-pacer')

/**
 * The part of a connection that pacers use.
 * @typedef {object} Member
 * @property {import('./queue').Queue | null} queue due requests
 * @property {number} group index of its group of connections; 0 for a single group
 * @property {{ left: number }} budget
 * @property {{ count: number }} exchanges in flight
 * @property {boolean} takesMore whether it has room, a socket that accepts writes, and a request to send
 * @property {() => void} fill sends due requests while it has room
 * @property {(n: number) => number} send sends up to n requests and returns their number
 * @property {number} idleUntil end of the time without a request to send; Infinity while it waits for a due iteration
 * @property {(until: number) => void} wake ends its wait
 *
 * @typedef {object} Group connections that share a queue
 * @property {import('./queue').Queue} queue
 * @property {number} left number of requests that the connections may still send
 * @property {{ scenario: number | null }} [ofIterations] for a queue of iterations: their scenario, null for several
 *
 * @typedef {object} Pacer times are ms since the start of the load, -Infinity before
 * @property {(i: number) => import('./queue').Queue | null} queue returns the queue for a new connection, the i-th;
 *   null for a closed loop
 * @property {(members: Member[], at: number) => void} join adds connections
 * @property {(member: Member, at: number) => Group | null} leave removes a connection; returns its group if it was the
 *   last member
 * @property {(member: Member, at: number) => void} [offer] adds a user that waits for an iteration
 * @property {(member: Member) => void} [withdraw] removes a waiting user that has lost its connection
 * @property {(stage: import('../../shapes/stages').Stage) => void} [extend] adds a stage
 * @property {() => number} next returns the next time to wake a connection
 * @property {(elapsed: () => number) => void} wake lets connections send due requests
 * @property {() => Group[]} groups
 * @property {(at: number) => number} missedBy returns the number of requests that became due without any connection
 */

/**
 * @param {import('../../options/plan').Plan} plan with a pace, for the run or for a group
 * @param {typeof import('../../shapes/pace').paceOf} paceOf
 * @param {import('../groups').Groups | null} groups for scenarios that run in parallel
 * @returns {Pacer}
 */
function makePacer (plan, paceOf, groups) {
  const { amount, iterations, duration, steered } = plan
  const end = (amount ?? iterations) === null && !steered ? duration : Infinity
  if (groups === null) {
    return pacerOf(/** @type {import('../../options/plan').Pacing} */ (plan.pacing), plan, paceOf, end)
  }
  const list = /** @type {NonNullable<typeof plan.groups>} */ (plan.groups)
  const { GatePacer } = require('./gate-pacer')
  const { GroupsPacer } = require('./groups-pacer')
  return new GroupsPacer(
    list.map(({ pacing, connections }) =>
      pacing === null || connections === 0 ? new GatePacer() : pacerOf(pacing, plan, paceOf, end)),
    i => groups.of(i).group
  )
}

/**
 * @param {import('../../options/plan').Pacing} pacing
 * @param {import('../../options/plan').Plan} plan
 * @param {typeof import('../../shapes/pace').paceOf} paceOf
 * @param {number} end ms
 * @returns {Pacer}
 */
function pacerOf (pacing, { connections, amount }, paceOf, end) {
  if (pacing.unit === 'iterations') {
    const { IterationPacer } = require('./iteration-pacer')
    return new IterationPacer(paceOf(pacing, end), pacing.scenario)
  }
  if (pacing.shared) return new OpenPacer(paceOf(pacing, end))
  if (!pacing.perConnection) return new RoundRobinPacer(() => paceOf(pacing, end))
  const each = pacing.rate / Math.min(connections, amount ?? Infinity)
  return new RoundRobinPacer(n => n === 0 ? NEVER : paceOf({ ...pacing, rate: n * each }, end))
}

module.exports = { makePacer }
