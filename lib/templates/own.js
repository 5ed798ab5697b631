'use strict'

// The per-connection or per-user values of requests: ids, random numbers, the context of the iteration, and its row of
// each data source.

const { Ids } = require('./ids')

/** @typedef {import('./context').Context} Context */

class Own {
  /**
   * @param {Context} context of its first iteration
   * @param {Int32Array} [rows] its row in each data source; empty without data
   * @param {() => number} [random] from 0 up to, excluding, 1; used by templates
   */
  constructor (context, rows = NO_ROWS, random = noChance) {
    this.ids = new Ids()
    this.context = context
    this.rows = rows
    this.random = random
    /** The Cookie header of the last filled request; empty for none. */
    this.cookies = ''
    /** Whether the previous iteration has sent nothing. */
    this.isUnsent = false
    /** Why the last filled request cannot be sent. @type {string | null} */
    this.refused = null
  }
}

const NO_ROWS = new Int32Array(0)
const noChance = () => 0

module.exports = { Own }
