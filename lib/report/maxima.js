'use strict'

// The mark on percentiles of so few values that they are the maximum, and one note for a table with it.

const { isMaximum, percentileIn } = require('../record/percentiles')
const { maximumNote } = require('../words/percentiles')

class Maxima {
  constructor () {
    /** @type {Set<number>} percentiles that have been marked */
    this.percentiles = new Set()
    /** @type {Set<number>} of how many values */
    this.counts = new Set()
  }

  /**
   * @param {string} text in a table
   * @param {string} key such as p99_9, or another figure
   * @param {Record<string, any> | undefined} distribution that it is of
   * @returns {string} with a mark when it is the maximum of too few values
   */
  mark (text, key, distribution) {
    const percentile = percentileIn(key)
    if (percentile === null || distribution?.[key] === undefined || !isMaximum(percentile, distribution.totalCount)) {
      return text
    }
    this.percentiles.add(percentile)
    this.counts.add(distribution.totalCount)
    return text + '*'
  }

  /** @returns {string[]} the note on marked values; empty without any */
  get notes () {
    if (this.percentiles.size === 0) return []
    return [`* ${maximumNote([...this.percentiles].sort((a, b) => a - b), [...this.counts])}.`]
  }
}

module.exports = { Maxima }
