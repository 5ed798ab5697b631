'use strict'

// The metrics of completions.

const { weightOf } = require('../../record/coarse')

/** Common to all of them. */
const OF_TOKENS = {
  streams: true,
  completions: true,
  parts: ['request', 'scenario'],
  noAbortOn: 'tokens: they are judged when the run is over'
}

module.exports = {
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
      unit: 'tokens/s', of: 'tokens', per: 'seconds', highIsGood: true, compared: true, sees: ['load'], ...OF_TOKENS
    },
    tokens: { unit: 'count', of: 'tokens', per: 'completions', highIsGood: true, sees: ['load'], ...OF_TOKENS }
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
