'use strict'

// Completions in a result, as a part of streams.

const { round } = require('../../core/units')

/** Of a distribution of numbers that are no times. */
const FIGURES = ['average', 'min', 'max', 'p50', 'p90', 'p99']

/**
 * @param {import('./record').TokenTally} tally of a run, of a named request, or of a scenario
 * @param {Pick<import('../../figures/result').Context, 'seconds' | 'summary'>} context
 */
function figuresOf (tally, { seconds, summary }) {
  const { firstToken, firstReasoning, interToken, perToken, speed, perRequest, finishes, failures } = tally
  const { deltas, reported, counted, usageTokens, usageDeltas, usageOutputs, promptTokens, prompts } = tally
  // Of a completion that began before the figures do, the usage has all tokens.
  const total = Math.max(0, deltas - usageDeltas + usageTokens)
  return {
    firstToken: summary(firstToken),
    firstReasoning: summary(firstReasoning),
    interToken: summary(interToken),
    timePerOutputToken: summary(perToken),
    tokens: {
      total,
      perSecond: round(total / seconds),
      source: reported === 0 ? deltas > 0 ? 'events' : null : counted > 0 ? 'both' : 'usage',
      reported,
      counted,
      invalidUsage: tally.invalidUsage,
      prompt: prompts === 0 ? null : promptTokens,
      perEvent: usageOutputs === 0 ? null : round(usageTokens / usageOutputs),
      perRequest: numbersIn(perRequest, value => value * 1000 - 1),
      perSecondOfRequest: numbersIn(speed, value => value)
    },
    finishReasons: sorted(finishes),
    completionFailures: sorted(failures)
  }
}

/**
 * @param {import('../../record/histogram').Histogram} histogram
 * @param {(value: number) => number} valueOf
 * @returns {Record<string, number> | null} null where there is none
 */
function numbersIn (histogram, valueOf) {
  if (histogram.count === 0) return null
  /** @type {Record<string, number>} */
  const summary = histogram.summary()
  return Object.fromEntries(FIGURES.map(key => [key, round(Math.max(0, valueOf(summary[key])))]))
}

/** The most frequent first. @param {Map<string, number>} counts */
const sorted = counts => Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))

module.exports = { figuresOf }
