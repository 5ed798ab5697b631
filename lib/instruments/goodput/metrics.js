'use strict'

// The metrics of goodput: each threshold has its own bounds (figures/goodput), so none is in the table.

module.exports = {
  times: {},
  rows: {},

  /** @type {import('../../figures/figures').Read} */
  read: ({ streams }) => {
    /** @type {Array<{ expression: string, good: number, requests: number }>} */
    const all = Array.isArray(streams?.goodput) ? streams.goodput : []
    return {
      counted: Object.fromEntries(all.flatMap(({ expression, good, requests }) =>
        [[`good: ${expression}`, good], [`held: ${expression}`, requests]]))
    }
  }
}
