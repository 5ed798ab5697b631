'use strict'

// Groups of user functions in a result.

const { findGroup } = require('../../figures/parts')
const { round } = require('../../core/units')

/** @param {import('./record').Groups} groups @param {import('../../figures/result').Context} context */
function derive ({ durations }, { seconds, summary }) {
  return {
    groups: Object.fromEntries(Array.from(durations, ([name, duration]) =>
      [name, { count: duration.count, perSecond: round(duration.count / seconds), duration: summary(duration) }]))
  }
}

/** The metrics of groups. */
const METRICS = {
  /**
   * @param {Record<string, any>} result
   * @param {string} part its name
   * @returns {import('../../figures/figures').About | null} null if it is no group
   */
  ofPart: (result, part) => {
    const group = findGroup(result, part)
    return group === null ? null : { latency: group.duration, counted: {}, perSecond: {} }
  }
}

module.exports = { METRICS, derive }
