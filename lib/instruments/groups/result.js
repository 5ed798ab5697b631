'use strict'

// Groups of user functions in a result.

const { round } = require('../../core/units')

/** @param {import('./record').Groups} groups @param {import('../../figures/result').Context} context */
function derive ({ durations }, { seconds, summary }) {
  return {
    groups: Object.fromEntries(Array.from(durations, ([name, duration]) =>
      [name, { count: duration.count, perSecond: round(duration.count / seconds), duration: summary(duration) }]))
  }
}

module.exports = { derive }
