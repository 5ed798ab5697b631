'use strict'

// Owns what has to be known of the streams of a run: that none of them ended, or that none had an event.

/**
 * @param {Record<string, any>} result
 * @returns {import('../../findings/findings').Finding[]}
 */
function findings ({ streams, interrupted }) {
  const { opened, completed, events } = streams
  if (opened === 0) return []
  if (events === 0) return [{ code: 'no-events', severity: 'warning', facts: { opened, kind: streams.kind } }]
  return completed > 0 || interrupted
    ? []
    : [{ code: 'endless-streams', severity: 'info', facts: { opened, events } }]
}

module.exports = { findings }
