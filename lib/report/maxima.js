'use strict'

// Marks percentiles that are the maximum of too few values, and explains the marks in one note.

const { isMaximum, percentileIn } = require('../record/percentiles')
const { maximumNote } = require('../words/percentiles')

class Maxima {
  constructor () {
    /** Percentiles that were marked. @type {Set<number>} */
    this.percentiles = new Set()
    /** Their numbers of values. @type {Set<number>} */
    this.counts = new Set()
  }

  /**
   * @param {string} text in a table
   * @param {string} key such as p99_9, or another figure
   * @param {Record<string, any> | undefined} distribution
   * @returns {string} with a mark if it is the maximum of too few values
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
