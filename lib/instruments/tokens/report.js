'use strict'

// Completions in reports: the times of their tokens as rows of the table of latencies, and their counts.

const { printable } = require('../../core/foreign-text')
const { formatInteger, formatRate, plural } = require('../../core/units')
const { laidOut, timeColumnsOf, timesTable } = require('../../report/authored')
const { briefTimes, formatKnown } = require('../../report/figures')

/** From this number of tokens per event on, gaps between events do not show the gaps between tokens. */
const BUNDLED = 1.5

/** @type {import('../../report/authored').TimesOf} */
function times ({ streams }) {
  const { firstToken, firstReasoning, interToken, timePerOutputToken } = streams
  return [
    { name: 'First token', distribution: firstToken },
    ...firstReasoning.totalCount > 0 ? [{ name: 'First reasoning', distribution: firstReasoning }] : [],
    { name: 'Inter token', distribution: interToken },
    { name: 'Per output token', distribution: timePerOutputToken }
  ].map(time => ({ ...time, isBrief: time.distribution.totalCount > 0 }))
}

/**
 * @param {Record<string, any>} result
 * @returns {Array<{ name: string, text: string }>} the part in the first line of a report
 */
function headFacts ({ streams }) {
  const { firstToken, interToken, tokens } = streams
  return [
    ...[['first token', firstToken], ['inter token', interToken]]
      .filter(([, distribution]) => distribution.totalCount > 0)
      .map(([name, distribution]) => ({ name, text: `${name} ${briefTimes(distribution)}` })),
    ...tokens.total > 0 ? [{ name: 'tokens', text: `${formatRate(tokens.perSecond)} tokens/s` }] : []
  ]
}

/** @param {Record<string, any>} counts */
const listed = counts => Object.entries(counts).map(([name, n]) => `${printable(name)} ${formatInteger(n)}`).join(', ')

/** @param {Record<string, any>} tokens */
function sourceOf ({ source, reported, counted }) {
  if (source === 'usage') return 'from the usage that the server reports'
  if (source === 'events') return 'counted as events with content, because the server reports no usage'
  return `from the usage of ${plural(reported, 'completion')}; those of ${formatInteger(counted)} are counted as events`
}

/** @param {Record<string, any>} result */
function facts ({ streams }) {
  const { opened, tokens, finishReasons, completionFailures } = streams
  if (opened === 0) return []
  const { total, prompt, perEvent, invalidUsage } = tokens
  return [
    ...total > 0 ? [`${plural(total, 'token')}, ${sourceOf(tokens)}`] : ['No completion had a token'],
    ...prompt === null ? [] : [`${plural(prompt, 'prompt token')}`],
    ...perEvent >= BUNDLED
      ? [`${formatRate(perEvent)} tokens per event: inter token is the time between events, not between tokens`]
      : [],
    ...invalidUsage > 0
      ? [`${plural(invalidUsage, 'completion')} reported a usage that cannot be right, and is not counted`]
      : [],
    ...Object.keys(finishReasons).length > 0 ? [`Finish reasons: ${listed(finishReasons)}`] : [],
    ...Object.keys(completionFailures).length > 0 ? [`Failed completions: ${listed(completionFailures)}`] : []
  ]
}

/** @type {import('../../report/authored').TablesOf} */
function tables ({ streams }, form) {
  if (streams.opened === 0) return []
  const { tokens } = streams
  const counts = {
    id: 'tokens',
    title: 'Tokens',
    ...laidOut([
      ['>Tokens', () => formatInteger(tokens.total)],
      ['>Tokens/s', () => formatRate(tokens.perSecond)],
      ['>Per request', () => formatKnown(tokens.perRequest?.p50, formatRate)],
      ['>Tokens/s each', () => formatKnown(tokens.perSecondOfRequest?.p50, formatRate)],
      ['>Per event', () => formatKnown(tokens.perEvent, formatRate)],
      ['>Prompt tokens', () => formatKnown(tokens.prompt, formatInteger)]
    ], [streams])
  }
  // Other formats have these in the table of latencies.
  return form === 'md' ? [counts, timesTable('token-times', 'Times of tokens', times({ streams }))] : [counts]
}

/** @type {import('../../report/authored').Columns} empty without tokens */
const columns = [
  ['tokens', ({ streams }) => streams?.tokens?.total],
  ['tokens_per_s', ({ streams }) => streams?.tokens?.perSecond],
  ['prompt_tokens', ({ streams }) => streams?.tokens?.prompt ?? undefined],
  ...timeColumnsOf('first_token', ({ streams }) => streams?.firstToken),
  ...timeColumnsOf('inter_token', ({ streams }) => streams?.interToken),
  ...timeColumnsOf('time_per_output_token', ({ streams }) => streams?.timePerOutputToken)
]

module.exports = { columns, facts, headFacts, tables, times }
