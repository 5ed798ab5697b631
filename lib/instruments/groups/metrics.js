'use strict'

// The metrics of groups: figures of their durations.

const { findGroup } = require('../../figures/parts')

module.exports = {
  /**
   * @param {Record<string, any>} result
   * @param {string} part its name
   * @returns {import('../../figures/figures').About | null} null where it is no group
   */
  ofPart: (result, part) => {
    const group = findGroup(result, part)
    return group === null ? null : { latency: group.duration, counted: {}, perSecond: {} }
  }
}
