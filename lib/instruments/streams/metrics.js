'use strict'

// The metrics of streams.

const { weightOf } = require('../../record/coarse')

/** Common to all of them. */
const OF_STREAMS = {
  streams: true, parts: ['request', 'scenario'], noAbortOn: 'streams: they are judged when the run is over'
}

module.exports = {
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
      unit: 'events/s', of: 'events', per: 'seconds', highIsGood: true, compared: true, sees: ['load'], ...OF_STREAMS
    },
    events: { unit: 'count', of: 'events', per: 'streams', highIsGood: true, sees: ['load'], ...OF_STREAMS },
    stalls: { unit: 'count', of: 'stalls', per: 'gaps', share: true, ...OF_STREAMS },
    'truncated streams': { unit: 'count', of: 'truncated', per: 'streams', share: true, ...OF_STREAMS }
  },

  /** @type {import('../../figures/figures').InPoint} */
  inPoint: ({ streams }) => {
    const { firstEvent = null, gap = null, events = 0 } = streams ?? {}
    return {
      times: {
        // A point of an older version does not have how many streams had their first event then.
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
