'use strict'

// Samples of the load generator's stack: the CPU time in user functions, by place.

const { Counts } = require('../../record/counts')

/** Further places are counted for their file as a whole: a module may create functions without end. */
const MOST_PLACES = 500

/**
 * @typedef {object} CodeCounts a plain object
 * @property {number} busyMs time in which the thread was not idle
 * @property {Array<{ file: string, line: number, name: string, ms: number }>} places in the user's files
 */

/** @extends {Counts<CodeCounts>} */
class Code extends Counts {
  constructor () {
    super()
    this.busyMs = 0
    /** @type {Map<string, { file: string, line: number, name: string, ms: number }>} */
    this.places = new Map()
  }

  /** @type {(file: string, line: number, name: string, ms: number) => void} */
  count (file, line, name, ms) {
    const known = `${file}:${line}`
    const [key, at, of] = this.places.has(known) || this.places.size < MOST_PLACES ? [known, line, name] : [file, 0, '']
    const place = this.places.get(key)
    if (place === undefined) this.places.set(key, { file, line: at, name: of, ms })
    else place.ms += ms
  }

  /** @param {CodeCounts} counts */
  add ({ busyMs, places }) {
    this.busyMs += busyMs
    for (const { file, line, name, ms } of places) this.count(file, line, name, ms)
  }

  reset () {
    this.busyMs = 0
    this.places.clear()
  }

  /** @returns {CodeCounts} */
  encode () {
    return { busyMs: this.busyMs, places: [...this.places.values()] }
  }
}

module.exports = { Code, Total: Code }
