'use strict'

// The per-connection or per-user values of requests: ids, random numbers, the context of the iteration, and its row of
// each data source.

const { Ids } = require('./ids')

/** @typedef {import('./context').Context} Context */

class Own {
  /**
   * @param {Context} context of its first round
   * @param {Int32Array} [rows] of each source the one that it has; none where there is no data
   * @param {() => number} [random] 0 to 1, without 1; where there are templates
   */
  constructor (context, rows = NO_ROWS, random = noChance) {
    this.ids = new Ids()
    this.context = context
    this.rows = rows
    this.random = random
    /** The value of the header Cookie of the request that was filled last; empty for none. */
    this.cookies = ''
    /** Whether the round before has sent nothing. */
    this.isUnsent = false
    /** Why the request that was filled last can't be sent. @type {string | null} */
    this.refused = null
  }
}

const NO_ROWS = new Int32Array(0)
const noChance = () => 0

module.exports = { Own }
