'use strict'

// Connections that several users share, by server: finds one with a place left, and opens another where all are full.

/**
 * @typedef {object} SharedConnection
 * @property {string} key which server it leads to
 * @property {boolean} isOpen
 * @property {boolean} takes whether it has a place left
 */

/** @template {SharedConnection & { take: (user: any) => void }} C */
class Vacancies {
  constructor () {
    /** Those that take users, and those that take no more but still have some. @type {Set<C>} */
    this.all = new Set()
    /** Those that may have a place left, by server; the last one is tried first. @type {Map<string, C[]>} */
    this.vacant = new Map()
  }

  /** @returns {number} how many connections are open */
  get open () {
    let count = 0
    for (const { isOpen } of this.all) if (isOpen) count++
    return count
  }

  /**
   * @param {Parameters<C['take']>[0]} user which has a place on a connection from now on
   * @param {string} key which server it leads to
   * @param {() => C} make one more
   * @returns {C | null} the connection that was made for the user, and is not opened yet; null where another one had
   *   a place
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

  /** @param {C} connection that has a place left */
  offer (connection) {
    if (!connection.takes) return
    const vacant = this.vacant.get(connection.key)
    if (vacant === undefined) this.vacant.set(connection.key, [connection])
    else if (!vacant.includes(connection)) vacant.push(connection)
  }

  /** @param {C} connection that takes no more */
  forget (connection) {
    if (!connection.isOpen) this.all.delete(connection)
    const vacant = this.vacant.get(connection.key) ?? []
    const i = vacant.indexOf(connection)
    if (i !== -1) vacant.splice(i, 1)
    if (vacant.length === 0) this.vacant.delete(connection.key)
  }
}

module.exports = { Vacancies }
