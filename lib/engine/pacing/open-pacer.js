'use strict'

// Assigns the next due request of a shared rate to any connection with room. Connections join and leave.

const { Queue } = require('./queue')

/**
 * @typedef {import('./pacer').Member} Member
 * @typedef {import('./pacer').Pacer} Pacer
 */

/** The limit of connections to check for an idle one. */
const CHOICES = 16

/**
 * The open model: a request goes to any connection with room, and waits only while none has room.
 * @implements {Pacer}
 */
class OpenPacer {
  /** @param {import('../../shapes/pace').Pace} pace */
  constructor (pace) {
    this.shared = new Queue(pace)
    /** @type {Member[]} */
    this.members = []
    this.turn = 0
    this.missed = 0
  }

  queue () {
    return this.shared
  }

  /** @type {(members: Member[], at: number) => void} */
  join (members, at) {
    if (this.members.length === 0) this.missed += this.shared.drop(at)
    for (const member of members) this.members.push(member)
  }

  /** @param {Member} member @param {number} at */
  leave (member, at) {
    const i = this.members.indexOf(member)
    if (i === -1) return null
    this.members = this.members.filter(one => one !== member)
    if (this.turn > i) this.turn--
    if (this.turn === this.members.length) this.turn = 0
    return this.members.length > 0 ? null : { queue: this.shared, left: member.budget.left }
  }

  /** @param {import('../../shapes/stages').Stage} stage that follows */
  extend (stage) {
    this.shared.pace.extend?.(stage)
  }

  next () {
    return this.shared.next()
  }

  /** @param {() => number} elapsed */
  wake (elapsed) {
    const { shared } = this
    // Also sends requests that become due while a batch is written.
    for (let due; shared.free > 0 && (due = shared.due(elapsed())) > 0;) {
      while (due > 0 && shared.free > 0) {
        const connection = this.choose()
        if (connection === null) return
        if (connection.send(1) > 0) due--
        // The source has no request yet, or its hook failed.
        else if (connection.takesMore) return
      }
    }
  }

  /** Round-robin over connections with room: the least busy of the first few. */
  choose () {
    const { members } = this
    const { length } = members
    let best = null
    for (let i = 0; i < length && (i < CHOICES || best === null); i++) {
      const connection = members[this.turn]
      if (++this.turn === length) this.turn = 0
      if (!connection.takesMore) continue
      if (connection.exchanges.count === 0) return connection
      if (best === null || connection.exchanges.count < best.exchanges.count) best = connection
    }
    return best
  }

  groups () {
    return this.members.length === 0
      ? []
      : [{
          queue: this.shared,
          left: [...new Set(this.members.map(({ budget }) => budget))].reduce((sum, { left }) => sum + left, 0)
        }]
  }

  /** @param {number} at */
  missedBy (at) {
    return this.members.length > 0 ? this.missed : this.missed + this.shared.due(at)
  }
}

module.exports = { OpenPacer }
