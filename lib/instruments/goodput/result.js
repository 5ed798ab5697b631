'use strict'

// Goodput in a result, as a part of streams.

const { round } = require('../../core/units')
const { unmeasuredIn } = require('../../figures/goodput')

/**
 * @param {import('./record').GoodputTally | undefined} tally of a run, of a named request, or of a scenario
 * @param {Record<string, any>} figures of its streams
 */
function goodputOf (tally, { gap, interToken }) {
  const times = { gap, 'inter token': interToken }
  return Array.from(tally?.counts ?? [], ([expression, { good, requests }]) => {
    const isUnknown = requests === 0 || (good > 0 && unmeasuredIn(expression, times) !== null)
    return { expression, good, requests, share: isUnknown ? null : round(good / requests) }
  })
}

/** The sources for metrics. Each threshold has its own bounds (figures/goodput), so the table of metrics has none. */
const METRICS = {
  times: {},
  rows: {},

  /** @type {import('../../figures/figures').Read} */
  read: ({ streams }) => {
    /** @type {Array<{ expression: string, good: number, requests: number }>} */
    const all = Array.isArray(streams?.goodput) ? streams.goodput : []
    return {
      counted: Object.fromEntries(all.flatMap(({ expression, good, requests }) =>
        [[`good: ${expression}`, good], [`ended: ${expression}`, requests]]))
    }
  }
}

module.exports = { METRICS, goodputOf }
