'use strict'

// Owns how many more requests one connection may make. A request is taken before it is written and never given back.

class Budget {
  /** @param {number} [limit] requests; unlimited when left out */
  constructor (limit = Infinity) {
    this.left = limit
  }

  /**
   * @param {number} n how many are wanted
   * @returns {number} how many are granted
   */
  take (n) {
    // As an integer, also for V8: `left` may be Infinity, but is less than n here.
    if (n > this.left) n = this.left | 0
    this.left -= n
    return n
  }
}

/**
 * Shares out a whole number as evenly as it goes, the remainder over the first.
 * @param {number} total
 * @param {number} parts
 * @returns {number[]}
 */
function shareOut (total, parts) {
  const least = Math.floor(total / parts)
  const remainder = total - least * parts
  return Array.from({ length: parts }, (_, i) => i < remainder ? least + 1 : least)
}

module.exports = { Budget, shareOut }
