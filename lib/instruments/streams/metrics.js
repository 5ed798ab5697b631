'use strict'

// The metrics of streams.

const noAbortOn = 'streams: they are judged when the run is over'

module.exports = {
  times: {
    'first event': {
      what: 'the time to the first event of a stream', row: { parts: undefined, streams: true, noAbortOn }
    },
    gap: { what: 'the time between two events of a stream', row: { parts: undefined, streams: true, noAbortOn } },
    'stream duration': {
      what: 'the time from the head of a stream to its end', row: { parts: undefined, streams: true, noAbortOn }
    }
  },
  rows: {
    'events/s': {
      unit: 'events/s', of: 'events', per: 'seconds', highIsGood: true, sees: ['load'], streams: true, noAbortOn
    },
    events: { unit: 'count', of: 'events', highIsGood: true, sees: ['load'], streams: true, noAbortOn },
    stalls: { unit: 'count', of: 'stalls', per: 'gaps', share: true, streams: true, noAbortOn },
    'truncated streams': { unit: 'count', of: 'truncated', per: 'streams', share: true, streams: true, noAbortOn }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ streams }) => streams === undefined
    ? {}
    : {
        times: { 'first event': streams.firstEvent, gap: streams.gap, 'stream duration': streams.duration },
        counted: {
          events: streams.events, stalls: streams.stalls, gaps: streams.gap.totalCount, truncated: streams.truncated,
          streams: streams.opened
        },
        perSecond: { events: streams.eventsPerSecond }
      }
}
