'use strict'

// Finds runs whose streams had no events, or did not end.

const { info, warning } = require('../../core/finding')
const { isListening, hasNoResponse } = require('../../figures/parts')

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings (result) {
  const { streams, fates, interrupted, websocket } = result
  const { opened, completed, events } = streams
  // If nothing came from the server at all, another finding has the reason.
  if (opened === 0 || (events === 0 && isListening(result) && hasNoResponse(result))) return []
  if (events === 0) return [warning('no-events', { opened, kind: streams.kind })]
  // Streams that failed or timed out are reported as errors.
  const areCut = 2 * ((fates?.failed ?? 0) + (fates?.timedOut ?? 0)) >= opened
  // A WebSocket may be open until the run ends.
  return completed > 0 || areCut || interrupted || streams.kind === 'messages' || websocket !== undefined
    ? []
    : [info('endless-streams', { opened, events })]
}

module.exports = { findings }
