'use strict'

// Assigns due iterations to users when iterations arrive at a rate: the user that has been idle longest begins next.
// Users join and leave.

const { Queue } = require('./queue')

/**
 * @typedef {import('./pacer').Member} Member
 * @typedef {import('./pacer').Pacer} Pacer
 */

/** This number of places at the front of the line may be empty before they are removed. */
const MOST_EMPTY = 1024

/** @implements {Pacer} */
class IterationPacer {
  /**
   * @param {import('../../shapes/pace').Pace} pace
   * @param {number | null} scenario of all its iterations; null when users choose among several
   */
  constructor (pace, scenario) {
    this.scenario = scenario
    /** Of iterations that are due. Its room is the users who could begin one. */
    this.iterations = new Queue(pace)
    /** @type {Set<Member>} */
    this.members = new Set()
    /**
     * Users that wait for an iteration, and some that lost their connection while waiting; from `first` on.
     * @type {Member[]}
     */
    this.line = []
    this.first = 0
    /** All members of the line. @type {Set<Member>} */
    this.lined = new Set()
    this.wakes = false
  }

  /** A user sends the requests of its iteration as soon as it can. */
  queue () {
    return null
  }

  /** @param {Member[]} members */
  join (members) {
    for (const member of members) this.members.add(member)
  }

  /** @param {Member} member */
  leave (member) {
    return this.members.delete(member) && this.members.size === 0 ? this.group(member.budget.left) : null
  }

  /** @param {import('../../shapes/stages').Stage} stage that follows */
  extend (stage) {
    this.iterations.pace.extend?.(stage)
  }

  /**
   * A user has nothing to do until an iteration is due.
   * @param {Member} member
   * @param {number} at ms since the start of the load
   */
  offer (member, at) {
    this.iterations.add(1, at)
    if (this.lined.has(member)) return
    this.lined.add(member)
    this.line.push(member)
  }

  /** Such a user has lost its connection: it is skipped in the line. */
  withdraw () {
    this.iterations.free--
  }

  /**
   * A user begins a due iteration. One that comes directly from another iteration was no room until now.
   * @param {number} at ms since the start of the load
   */
  begin (at) {
    if (this.wakes) return
    this.iterations.add(1, at)
    this.iterations.free--
  }

  next () {
    return this.iterations.next()
  }

  /** @param {() => number} elapsed */
  wake (elapsed) {
    const { iterations } = this
    while (iterations.free > 0 && iterations.due(elapsed()) > 0) {
      const member = this.shift()
      if (member.idleUntil !== Infinity) continue
      iterations.free--
      this.wakes = true
      member.wake(Infinity)
      this.wakes = false
    }
  }

  /** @returns {Member} the first of the line, which is removed */
  shift () {
    const member = this.line[this.first++]
    if (this.first === this.line.length || this.first === MOST_EMPTY) {
      this.line.splice(0, this.first)
      this.first = 0
    }
    this.lined.delete(member)
    return member
  }

  groups () {
    const budgets = [...new Set(Array.from(this.members, ({ budget }) => budget))]
    return [this.group(budgets.reduce((sum, { left }) => sum + left, 0))]
  }

  /** @param {number} left */
  group (left) {
    return { queue: this.iterations, left, ofIterations: { scenario: this.scenario } }
  }

  /** Due iterations without a user wait. */
  missedBy () {
    return 0
  }
}

module.exports = { IterationPacer }
