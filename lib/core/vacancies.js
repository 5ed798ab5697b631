'use strict'

// Shared connections of several users, by server: finds one with a free stream, or opens another if all are full.

/**
 * @typedef {object} SharedConnection
 * @property {string} key of its server
 * @property {boolean} isOpen
 * @property {boolean} takes whether it has a free stream
 */

/** @template {SharedConnection & { take: (user: any) => void }} C */
class Vacancies {
  constructor () {
    /** Connections that accept users, and full or closing ones that still have users. @type {Set<C>} */
    this.all = new Set()
    /** Connections that may have a free stream, by server; the last one is tried first. @type {Map<string, C[]>} */
    this.vacant = new Map()
  }

  /** @returns {number} how many connections are open */
  get open () {
    let count = 0
    for (const { isOpen } of this.all) if (isOpen) count++
    return count
  }

  /**
   * @param {Parameters<C['take']>[0]} user that gets a stream of a connection
   * @param {string} key of the server
   * @param {() => C} make makes a connection
   * @returns {C | null} a new connection that the caller has to open; null if an existing one had a free stream
   */
  assign (user, key, make) {
    const vacant = this.vacant.get(key) ?? []
    if (vacant.length === 0) this.vacant.set(key, vacant)
    while (vacant.length > 0 && !vacant[vacant.length - 1].takes) vacant.pop()
    const isFull = vacant.length === 0
    if (isFull) {
      const made = make()
      this.all.add(made)
      vacant.push(made)
    }
    const connection = vacant[vacant.length - 1]
    connection.take(user)
    return isFull ? connection : null
  }

  /** @param {C} connection that has a free stream again */
  offer (connection) {
    if (!connection.takes) return
    const vacant = this.vacant.get(connection.key)
    if (vacant === undefined) this.vacant.set(connection.key, [connection])
    else if (!vacant.includes(connection)) vacant.push(connection)
  }

  /** @param {C} connection that accepts no more users */
  forget (connection) {
    if (!connection.isOpen) this.all.delete(connection)
    const vacant = this.vacant.get(connection.key) ?? []
    const i = vacant.indexOf(connection)
    if (i !== -1) vacant.splice(i, 1)
    if (vacant.length === 0) this.vacant.delete(connection.key)
  }
}

module.exports = { Vacancies }
