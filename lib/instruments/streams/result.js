'use strict'

const { weightOf } = require('../../record/coarse')
const { round } = require('../../core/units')
const { goodputOf } = require('../goodput/result')
const { figuresOf: tokenFigures, numbersIn } = require('../tokens/result')

/** @type {Partial<Record<import('../../figures/metric').PartKind, import('../../record/waited-tally').Family>>} */
const FAMILY_OF = Object.freeze({ request: 'named', scenario: 'scenarios' })

/** @param {import('./record').Streams} streams @param {import('../../figures/result').Context} context */
function derive (streams, context) {
  const { goodput, tokens } = context.outcome.totals.instruments
  const figures = { ...figuresOf(streams, context), ...tokens !== null && tokenFigures(tokens, context) }
  return {
    streams: {
      kind: kindIn(context.identity.options),
      ...figures,
      ...goodput !== null && { goodput: goodputOf(goodput, figures) }
    }
  }
}

/**
 * @param {import('./record').Streams} all
 * @param {import('../../figures/metric').PartKind} kind
 * @param {string} name
 * @param {import('../../figures/result').Context} context
 */
function ofPart (all, kind, name, context) {
  const family = FAMILY_OF[kind]
  if (family === undefined) return {}
  const streams = all[family].get(name)
  if (streams === undefined || !streams.hasCounted) return {}
  const { goodput, tokens } = context.outcome.totals.instruments
  const figures = {
    ...figuresOf(streams, context), ...tokens !== null && tokensOf(tokens.of(family, name), context)
  }
  return {
    streams: { ...figures, ...goodput !== null && { goodput: goodputOf(goodput[family].get(name), figures) } }
  }
}

/**
 * With user functions, only some requests are completions.
 * @param {import('../tokens/record').TokenTally} tally
 * @param {import('../../figures/result').Context} context
 */
const tokensOf = (tally, context) =>
  (kindIn(context.identity.options) === 'openai' || tally.hasCounted) && tokenFigures(tally, context)

/** @param {Record<string, unknown>} [options] */
const kindIn = ({ stream, receive } = {}) => receive === true ? 'messages' : stream ?? null

/**
 * @param {import('./record').StreamTally} streams of a run, of a named request, or of a scenario
 * @param {Pick<import('../../figures/result').Context, 'seconds' | 'summary'>} context
 */
function figuresOf (streams, { seconds, summary }) {
  const { firstEvent, gap, duration, outage, perStream } = streams
  const { opened, completed, closed, truncated, events, reads, stalls, reconnects, shortenedWaits } = streams
  return {
    opened,
    completed,
    closed,
    truncated,
    events,
    eventsPerSecond: round(events / seconds),
    eventsPerStream: numbersIn(perStream, value => value * 1000 - 1),
    eventsPerRead: reads === 0 ? null : round(events / reads),
    stalls,
    ...reconnects > 0 && { reconnects },
    ...outage.count > 0 && { outage: summary(outage) },
    ...shortenedWaits > 0 && { shortenedWaits },
    firstEvent: summary(firstEvent),
    gap: summary(gap),
    duration: summary(duration)
  }
}

/** Properties of all metrics of streams. */
const OF_STREAMS = {
  streams: true, parts: ['request', 'scenario'], noAbortOn: 'streams: they are judged when the run is over'
}

/** The metrics of streams. */
const METRICS = {
  times: {
    'first event': { what: 'the time to the first event of a stream', row: { ...OF_STREAMS, compared: true } },
    gap: { what: 'the time between two events of a stream', row: { ...OF_STREAMS, compared: true } },
    'stream duration': { what: 'the time from the head of a stream to its end', row: OF_STREAMS },
    outage: {
      what: 'the time from the end of a stream to the head of the one that continues it',
      row: { ...OF_STREAMS, compared: true }
    }
  },
  rows: {
    'events/s': {
      unit: 'events/s', of: 'events', per: 'seconds', highIsGood: true, compared: true, covers: ['load'], ...OF_STREAMS
    },
    events: { unit: 'count', of: 'events', per: 'streams', highIsGood: true, covers: ['load'], ...OF_STREAMS },
    stalls: { unit: 'count', of: 'stalls', per: 'gaps', share: true, ...OF_STREAMS },
    'truncated streams': { unit: 'count', of: 'truncated', per: 'streams', share: true, ...OF_STREAMS }
  },

  /** @type {import('../../figures/figures').InPoint} */
  inPoint: ({ streams }) => {
    const { firstEvent = null, gap = null, events = 0 } = streams ?? {}
    return {
      times: {
        // Points of older versions do not have the number of streams with their first event.
        'first event': firstEvent && { ...firstEvent, weight: weightOf(firstEvent, 1) },
        gap: gap && { ...gap, weight: weightOf(gap, events) }
      },
      counted: { events }
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ streams }) => streams === undefined
    ? {}
    : {
        times: {
          'first event': streams.firstEvent, gap: streams.gap, 'stream duration': streams.duration,
          ...streams.outage !== undefined && { outage: streams.outage }
        },
        counted: {
          events: streams.events, stalls: streams.stalls, gaps: streams.gap.totalCount, truncated: streams.truncated,
          streams: streams.opened
        },
        // Without a stream nothing is measured.
        perSecond: streams.opened > 0 ? { events: streams.eventsPerSecond } : {}
      }
}

module.exports = { METRICS, derive, figuresOf, ofPart }
