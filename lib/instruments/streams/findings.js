'use strict'

// Finds runs with streams that mostly stayed open, or without events.

const { info, warning } = require('../../core/finding')
const { isListening, hasNoResponse } = require('../../figures/parts')

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings (result) {
  const { streams, fates, interrupted, websocket } = result
  const { opened, completed, events } = streams
  // Of a run without anything from the server, another finding has the reason.
  if (opened === 0 || (events === 0 && isListening(result) && hasNoResponse(result))) return []
  if (events === 0) return [warning('no-events', { opened, kind: streams.kind })]
  // Those that broke off or brought nothing for too long have their errors, and did end.
  const areCut = 2 * ((fates?.failed ?? 0) + (fates?.timedOut ?? 0)) >= opened
  // A WebSocket may be open until the run ends.
  return completed > 0 || areCut || interrupted || streams.kind === 'messages' || websocket !== undefined
    ? []
    : [info('endless-streams', { opened, events })]
}

module.exports = { findings }
