'use strict'

// Chooses the pacer of a rate: round-robin with a share per connection, or any connection with room.

const { NEVER } = require('../../shapes/pace')
const { OpenPacer } = require('./open-pacer')
const { RoundRobinPacer } = require('./round-robin-pacer')

/**
 * A connection as pacers see it.
 * @typedef {object} Member
 * @property {import('./queue').Queue | null} queue due requests
 * @property {number} group of which group of connections it is; 0 where all are one
 * @property {{ left: number }} budget
 * @property {{ count: number }} exchanges in flight
 * @property {boolean} takesMore whether it has room, a socket that takes more, and something to send
 * @property {() => void} fill sends due requests while it has room
 * @property {(n: number) => number} send returns how many of n requests it has sent
 * @property {number} idleUntil until when it has nothing to send; Infinity while it waits for an iteration that is due
 * @property {(until: number) => void} wake it need not wait any more
 *
 * @typedef {object} Group connections that share a queue
 * @property {import('./queue').Queue} queue
 * @property {number} left how many more requests they may send
 * @property {{ scenario: number | null }} [ofIterations] where iterations are due, not requests: their scenario, null
 *   for several
 *
 * @typedef {object} Pacer times are ms since the start of the load, -Infinity before
 * @property {(i: number) => import('./queue').Queue | null} queue for the i-th connection, which is being made; null
 *   for one that sends whenever it has room
 * @property {(members: Member[], at: number) => void} join they send from now on
 * @property {(member: Member, at: number) => Group | null} leave it sends no more; returns its group if that has no
 *   member left
 * @property {(member: Member, at: number) => void} [offer] it waits for an iteration
 * @property {(member: Member) => void} [withdraw] it did, and has lost its connection
 * @property {(stage: import('../../shapes/stages').Stage) => void} [extend] one more stage follows
 * @property {() => number} next when a connection has to be woken
 * @property {(elapsed: () => number) => void} wake lets connections send due requests
 * @property {() => Group[]} groups
 * @property {(at: number) => number} missedBy how many requests fell due while there was no connection at all
 */

/**
 * @param {import('../../options/plan').Plan} plan of an open loop: it has a pace, or one of its groups has
 * @param {typeof import('../../shapes/pace').paceOf} paceOf
 * @param {import('../groups').Groups | null} groups where scenarios run side by side
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
