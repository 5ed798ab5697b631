'use strict'

// Delays closed-loop users until the start, in a run with other groups that have a pace. After the start it does
// nothing.

/**
 * @typedef {import('./pacer').Member} Member
 * @typedef {import('./pacer').Pacer} Pacer
 */

/** @implements {Pacer} */
class GatePacer {
  constructor () {
    /** Members that wait for the start. @type {Set<Member>} */
    this.waiting = new Set()
  }

  queue () {
    return null
  }

  join () {}

  leave () {
    return null
  }

  /** @param {Member} member */
  offer (member) {
    this.waiting.add(member)
  }

  /** @param {Member} member */
  withdraw (member) {
    this.waiting.delete(member)
  }

  next () {
    return this.waiting.size > 0 ? 0 : Infinity
  }

  /** @param {() => number} elapsed */
  wake (elapsed) {
    if (this.waiting.size === 0 || elapsed() < 0) return
    const members = [...this.waiting]
    this.waiting.clear()
    for (const member of members) member.wake(Infinity)
  }

  groups () {
    return []
  }

  missedBy () {
    return 0
  }
}

module.exports = { GatePacer }
