'use strict'

// Combines the pacers of several groups of connections into one.

/**
 * @typedef {import('./pacer').Member} Member
 * @typedef {import('./pacer').Pacer} Pacer
 */

/** @implements {Pacer} */
class GroupsPacer {
  /**
   * @param {Pacer[]} pacers of the groups
   * @param {(i: number) => number} groupOf returns the group of the i-th connection
   */
  constructor (pacers, groupOf) {
    this.pacers = pacers
    this.groupOf = groupOf
  }

  /** @param {number} i which connection */
  queue (i) {
    return this.pacers[this.groupOf(i)].queue(i)
  }

  /** @type {(members: Member[], at: number) => void} */
  join (members, at) {
    for (const [group, pacer] of this.pacers.entries()) {
      const own = members.filter(member => member.group === group)
      if (own.length > 0) pacer.join(own, at)
    }
  }

  /** @param {Member} member @param {number} at */
  leave (member, at) {
    return this.pacers[member.group].leave(member, at)
  }

  /** @type {(member: Member, at: number) => void} */
  offer (member, at) {
    this.pacers[member.group].offer?.(member, at)
  }

  /** @param {Member} member */
  withdraw (member) {
    this.pacers[member.group].withdraw?.(member)
  }

  next () {
    let next = Infinity
    for (const pacer of this.pacers) next = Math.min(next, pacer.next())
    return next
  }

  /** @param {() => number} elapsed */
  wake (elapsed) {
    for (const pacer of this.pacers) pacer.wake(elapsed)
  }

  groups () {
    return this.pacers.flatMap(pacer => pacer.groups())
  }

  /** @param {number} at */
  missedBy (at) {
    return this.pacers.reduce((sum, pacer) => sum + pacer.missedBy(at), 0)
  }
}

module.exports = { GroupsPacer }
