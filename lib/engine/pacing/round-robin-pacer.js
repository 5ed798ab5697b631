'use strict'

// Assigns due requests round-robin when each connection has its own share of a rate. Connections join and leave.

const { NEVER, Slice } = require('../../shapes/pace')
const { Queue } = require('./queue')

/**
 * @typedef {import('./pacer').Member} Member
 * @typedef {import('./pacer').Pacer} Pacer
 */

/** Round-robin: the n-th request is assigned to one connection, and waits for it. @implements {Pacer} */
class RoundRobinPacer {
  /**
   * @param {(connections: number) => import('../../shapes/pace').Pace} paceOf returns the total pace of a number of
   *   connections
   */
  constructor (paceOf) {
    this.paceOf = paceOf
    /** @type {import('../../shapes/pace').Pace} */
    this.pace = NEVER
    /** @type {Member[]} in round-robin order */
    this.members = []
    /** The index of the first request of the first member. */
    this.first = 0
    /** The number of assigned requests. */
    this.turns = 0
    this.missed = 0
  }

  queue () {
    return new Queue()
  }

  /** A new member is last in the order. @type {(members: Member[], at: number) => void} */
  join (members, at) {
    this.deal([...this.inTurn(at), ...members], at)
  }

  /** @param {Member} member @param {number} at */
  leave (member, at) {
    if (!this.members.includes(member)) return null
    this.deal(this.inTurn(at).filter(one => one !== member), at)
    const queue = /** @type {Queue} */ (member.queue)
    queue.follow(NEVER, at)
    return { queue, left: member.budget.left }
  }

  /** Returns the members, rotated so that the next one comes first. @type {(at: number) => Member[]} */
  inTurn (at) {
    const { members, pace, first } = this
    const next = members.length === 0 ? 0 : (pace.dueBy(at) - first) % members.length
    return [...members.slice(next), ...members.slice(0, next)]
  }

  /**
   * Divides later requests among the members.
   * @param {Member[]} members in round-robin order
   * @param {number} at
   */
  deal (members, at) {
    this.missed = this.missedBy(at)
    const pace = this.paceOf(members.length)
    const first = pace.dueBy(at)
    members.forEach(({ queue }, i) =>
      /** @type {Queue} */ (queue).follow(new Slice(pace, first + i, members.length), at))
    this.pace = pace
    this.members = members
    this.first = this.turns = first
  }

  next () {
    return this.pace.dueAt(this.turns)
  }

  /** @param {() => number} elapsed */
  wake (elapsed) {
    const { turns, first, members } = this
    const due = this.pace.dueBy(elapsed())
    this.turns = due
    const last = Math.min(due, turns + members.length)
    for (let turn = turns; turn < last; turn++) members[(turn - first) % members.length].fill()
  }

  groups () {
    return this.members.map(({ queue, budget }) => ({ queue: /** @type {Queue} */ (queue), left: budget.left }))
  }

  /** @param {number} at */
  missedBy (at) {
    return this.members.length > 0 ? this.missed : this.missed + this.pace.dueBy(at) - this.first
  }
}

module.exports = { RoundRobinPacer }
