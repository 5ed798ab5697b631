'use strict'

// The metrics of streams and of completions.

const { counter, histogram } = require('../../follow/metrics/family')

/**
 * @typedef {import('../../follow/metrics/families').Point} Point
 * @typedef {import('../../follow/metrics/families').Value} Value
 */

/** @type {ReadonlyArray<import('../../follow/metrics/families').Family>} */
const FAMILIES = Object.freeze([
  histogram('autocannon.stream.first_event', 'Time to the first event of a stream. With a rate, it starts when the ' +
    'request is due.', ({ totals }) => totals.instruments.streams?.firstEvent),
  histogram('autocannon.stream.gap', 'Time between two events of a stream.',
    ({ totals }) => totals.instruments.streams?.gap),
  histogram('autocannon.stream.duration', 'Time from the head of a completed stream to its end.',
    ({ totals }) => totals.instruments.streams?.duration),
  counter('autocannon.stream.events', 'Events of streams.', ({ totals }) => totals.instruments.streams?.events),
  counter('autocannon.streams', 'Streams: opened, completed, closed by the load generator, or truncated in the ' +
    'middle of an event.', ({ totals: { instruments: { streams } } }) => streams === null
    ? []
    : /** @type {const} */ (['opened', 'completed', 'closed', 'truncated'])
        .map(outcome => [{ outcome }, streams[outcome]]),
  { labels: ['outcome'] }),
  histogram('autocannon.named.stream.first_event', 'Time to the first event of streams of named requests.',
    ({ totals }) => namedStreams(totals, ({ firstEvent }) => firstEvent), { labels: ['request'] }),
  histogram('autocannon.named.stream.gap', 'Time between two events of streams of named requests.',
    ({ totals }) => namedStreams(totals, ({ gap }) => gap), { labels: ['request'] }),
  counter('autocannon.named.stream.events', 'Events of streams of named requests.',
    ({ totals }) => namedStreams(totals, ({ events }) => events), { labels: ['request'] }),
  histogram('autocannon.completion.first_token', 'Time to the first token of a completion. With a rate, it starts ' +
    'when the request is due.', ({ totals }) => totals.instruments.tokens?.firstToken),
  histogram('autocannon.completion.inter_token', 'Time between two events with tokens.',
    ({ totals }) => totals.instruments.tokens?.interToken),
  histogram('autocannon.completion.time_per_output_token', 'Mean time of a token after the first, of each ' +
    'completion.', ({ totals }) => totals.instruments.tokens?.perToken),
  histogram('autocannon.completion.first_reasoning', 'Time to the first token of reasoning of a completion.',
    ({ totals }) => totals.instruments.tokens?.firstReasoning),
  // The number of all tokens may fall when the usage of a completion arrives; these never do.
  counter('autocannon.completion.usage_tokens', 'Tokens of completions that have ended, as the server reports them ' +
    'in their usage: output, or prompt.', ({ totals: { instruments: { tokens } } }) => tokens === null
    ? []
    : [[{ 'token.type': 'output' }, tokens.usageTokens], [{ 'token.type': 'prompt' }, tokens.promptTokens]],
  { labels: ['token.type'] }),
  counter('autocannon.completion.events', 'Events of completions that had tokens.',
    ({ totals }) => totals.instruments.tokens?.outputs),
  counter('autocannon.stream.stalls', 'Gaps between events that are longer than --stall.',
    ({ totals }) => totals.instruments.streams?.stalls),
  counter('autocannon.stream.reconnects', 'Requests that continue a stream.',
    ({ totals }) => totals.instruments.streams?.reconnects),
  histogram('autocannon.stream.outage', 'Time from the end of a stream to the head of the one that continues it.',
    ({ totals }) => totals.instruments.streams?.outage)
])

/**
 * @param {import('../../record/totals').Totals} totals
 * @param {(tally: import('./record').StreamTally) => Value} valueOf
 * @returns {Point[]} none where there are no streams
 */
function namedStreams ({ instruments: { streams } }, valueOf) {
  return Array.from(streams?.named ?? [], ([name, tally]) => [{ request: name }, valueOf(tally)])
}

module.exports = { FAMILIES }
