'use strict'

// Assigns due iterations to users: the user that has been idle longest begins next. Users join and leave.

const { Queue } = require('./queue')

/**
 * @typedef {import('./pacer').Member} Member
 * @typedef {import('./pacer').Pacer} Pacer
 */

/** The number of empty places at the front of the line before they are removed. */
const MOST_EMPTY = 1024

/** @implements {Pacer} */
class IterationPacer {
  /**
   * @param {import('../../shapes/pace').Pace} pace
   * @param {number | null} scenario of all its iterations; null if users choose among several
   */
  constructor (pace, scenario) {
    this.scenario = scenario
    /** The queue of due iterations. Its room is the number of users that could begin one. */
    this.iterations = new Queue(pace)
    /** @type {Set<Member>} */
    this.members = new Set()
    /**
     * Waiting users from index `first` on, and some that have lost their connection since.
     * @type {Member[]}
     */
    this.line = []
    this.first = 0
    /** The waiting users, without those that lost their connection. @type {Set<Member>} */
    this.lined = new Set()
    this.wakes = false
  }

  /** Users have no queue of requests: within an iteration they send in a closed loop. */
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
   * Adds a user that waits for an iteration to the line.
   * @param {Member} member
   * @param {number} at ms since the start of the load
   */
  offer (member, at) {
    this.iterations.add(1, at)
    if (this.lined.has(member)) return
    this.lined.add(member)
    this.line.push(member)
  }

  /** Removes a waiting user that has lost its connection. */
  withdraw () {
    this.iterations.free--
  }

  /**
   * Takes a due iteration for a user. A user directly after another iteration has not counted as room before.
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

  /** @returns {Member} the first of the line, after removing it */
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

  /** Due iterations without a free user wait. */
  missedBy () {
    return 0
  }
}

module.exports = { IterationPacer }
