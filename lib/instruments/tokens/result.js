'use strict'

// Completions in a result, as a part of streams.

const { weightOf } = require('../../record/coarse')
const { round } = require('../../core/units')

/** The figures of a distribution of counts. */
const FIGURES = ['average', 'min', 'max', 'p50', 'p90', 'p99']

/**
 * @param {import('./record').TokenTally} tally of a run, of a named request, or of a scenario
 * @param {Pick<import('../../figures/result').Context, 'seconds' | 'summary'>} context
 */
function figuresOf (tally, { seconds, summary }) {
  const { firstToken, firstReasoning, interToken, perToken, speed, perRequest, finishes, failures } = tally
  const { deltas, reported, counted, usageTokens, usageDeltas, usageOutputs, promptTokens, prompts } = tally
  // A usage has all tokens of a completion, also those before the figures began.
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
 * @returns {Record<string, number> | null} null without a value
 */
function numbersIn (histogram, valueOf) {
  if (histogram.count === 0) return null
  /** @type {Record<string, number>} */
  const summary = histogram.summary()
  return Object.fromEntries(FIGURES.map(key => [key, round(Math.max(0, valueOf(summary[key])))]))
}

/** The most frequent first. @param {Map<string, number>} counts */
const sorted = counts => Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))

/** Properties of all metrics of completions. */
const OF_TOKENS = {
  streams: true,
  completions: true,
  parts: ['request', 'scenario'],
  noAbortOn: 'tokens: they are judged when the run is over'
}

/** The metrics of completions. */
const METRICS = {
  times: {
    'first token': {
      aliases: ['ttft', 'time to first token'], what: 'the time to the first token of a completion',
      row: { ...OF_TOKENS, compared: true }
    },
    'first reasoning': { what: 'the time to the first token of reasoning', row: OF_TOKENS },
    'inter token': {
      aliases: ['itl', 'inter-token latency'], what: 'the time between two events with tokens',
      row: { ...OF_TOKENS, compared: true }
    },
    'time per output token': {
      aliases: ['tpot'], what: 'the mean time of a token after the first, in each completion', row: OF_TOKENS
    }
  },
  rows: {
    'tokens/s': {
      unit: 'tokens/s', of: 'tokens', per: 'seconds', highIsGood: true, compared: true, covers: ['load'], ...OF_TOKENS
    },
    tokens: { unit: 'count', of: 'tokens', per: 'completions', highIsGood: true, covers: ['load'], ...OF_TOKENS }
  },

  /** @type {import('../../figures/figures').InPoint} */
  inPoint: ({ streams }) => {
    const { firstToken = null, interToken = null, tokens = 0 } = streams ?? {}
    return {
      times: {
        'first token': firstToken && { ...firstToken, weight: weightOf(firstToken, 1) },
        'inter token': interToken && { ...interToken, weight: weightOf(interToken, tokens) }
      },
      counted: { tokens }
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ streams }) => streams?.tokens === undefined
    ? {}
    : {
        times: {
          'first token': streams.firstToken,
          'first reasoning': streams.firstReasoning,
          'inter token': streams.interToken,
          'time per output token': streams.timePerOutputToken
        },
        counted: { tokens: streams.tokens.total, completions: streams.opened },
        // Without a completion nothing is measured.
        perSecond: streams.opened > 0 ? { tokens: streams.tokens.perSecond } : {}
      }
}

module.exports = { METRICS, figuresOf, numbersIn }
