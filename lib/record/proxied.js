'use strict'

// Owns what is counted of connections through proxies: the proxy's part of the time to connect, and what proxies said when there was no connection.

const { Histogram } = require('./histogram')

/**
 * @typedef {object} ProxiedReport a plain object
 * @property {import('./histogram').Encoded} connect ms from the start until requests could go through the proxy, of each connection that was made
 * @property {Array<{ code: string, message: string, count: number }>} errors those that proxies have made
 */

/** Of different ones as many are kept: an answer of a proxy may have a number of its own in it. */
const MOST_ERRORS = 20

class Proxied {
  constructor () {
    this.connect = new Histogram()
    /** @type {Map<string, { code: string, message: string, count: number }>} by message */
    this.errors = new Map()
  }

  /**
   * @param {string} code
   * @param {string} message
   * @param {number} count
   */
  fail (code, message, count) {
    const known = this.errors.get(message)
    if (known !== undefined) known.count += count
    else if (this.errors.size < MOST_ERRORS) this.errors.set(message, { code, message, count })
  }

  /** @param {ProxiedReport} report */
  add ({ connect, errors }) {
    this.connect.addEncoded(connect)
    for (const { code, message, count } of errors) this.fail(code, message, count)
  }

  reset () {
    this.connect.reset()
    this.errors.clear()
  }

  /** @returns {ProxiedReport} what was counted since the last time */
  take () {
    const report = this.encode()
    this.reset()
    return report
  }

  /** @returns {ProxiedReport} */
  encode () {
    return { connect: this.connect.encode(), errors: Array.from(this.errors.values(), one => ({ ...one })) }
  }
}

module.exports = { Proxied }
